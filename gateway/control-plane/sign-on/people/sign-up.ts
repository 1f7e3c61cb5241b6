import { refuse } from '../../../platform/errors/refusal.ts';
import { isDuplicate, type Database } from '../../api/transaction.ts';
import type { AdminContext } from '../../api/context.ts';
import { confirmAddress } from '../../sessions/confirm-address.ts';
import { giveRegistrationCredit, networkDigest } from '../../registrations/registration-credit.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { createUser } from '../../users/create-user.ts';
import { NO_PASSWORD } from '../../users/password-hash.ts';
import { admitApplicant } from './admit-applicant.ts';
import type { ConfirmedIdentity } from './confirmed-identity.ts';
import type { Flow } from '../flows.ts';
import { isTrustedFor } from '../only-sign-on.ts';
import type { ProviderRow } from '../providers/provider-row.ts';
import { SignOnRefused } from '../sign-on-refused.ts';

interface SigningUp {
  readonly provider: ProviderRow;
  readonly identity: ConfirmedIdentity;
  readonly flow: Flow;
  /** A rule leads the person to an account. */
  readonly isMapped: boolean;
  /** The client's network address. */
  readonly address: string;
}

/**
 * Makes a login for a person who has none. Those whom a rule leads to an account are let in by the
 * operator's rule, and get no credit; others register, by the rules of registration. Returns the
 * user's id.
 */
export async function signUp(
  db: Database,
  context: AdminContext,
  signingUp: SigningUp,
): Promise<string> {
  const { provider, identity, flow, isMapped, address } = signingUp;
  const { email, emailVerified } = identity;
  if (email === undefined) throw new SignOnRefused('no_address');
  const settings = await readSettings(db);
  if (!isMapped) {
    if (provider.signUp !== 'anyone') {
      throw new SignOnRefused(provider.hasDirectory ? 'not_in_directory' : 'sign_up_closed');
    }
    const refusal = await admitApplicant(db, { settings, email, flow });
    if (refusal !== undefined) throw new SignOnRefused('sign_up_refused', { refusal });
    const vouched = emailVerified || isTrustedFor(provider, email);
    if (settings.emailVerificationRequired && !vouched) {
      throw new SignOnRefused('address_unverified');
    }
  } else if (provider.signUp === 'none') throw new SignOnRefused('sign_up_closed');
  const { userId } = await insertUser(db, {
    email,
    accountName: email,
    passwordHash: NO_PASSWORD,
    role: 'user',
    mustVerifyEmail: false,
    language: flow.language ?? null,
    termsAccepted: flow.termsAccepted ?? false,
    registeredFrom: networkDigest(context, address),
    withholdsCredit: isMapped || !emailVerified,
  });
  if (emailVerified) await confirmAddress(db, context, userId);
  await giveRegistrationCredit(db, context, { settings, userId });
  return userId;
}

async function insertUser(db: Database, user: Parameters<typeof createUser>[1]) {
  try {
    return await createUser(db, user);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Someone has registered the address at the same moment.
    throw new SignOnRefused('address_taken', { refusal: refuse('sign_on_refused') });
  }
}
