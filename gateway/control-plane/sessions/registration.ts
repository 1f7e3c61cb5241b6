import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { isDuplicate, inTransaction, type Database } from '../api/transaction.ts';
import { countAttempt, countAttemptFrom } from '../api/callers/attempts.ts';
import type { Call } from '../api/call.ts';
import { digestOfCode } from '../api/callers/opaque-token.ts';
import type { AdminContext } from '../api/context.ts';
import { pushCredits } from '../credits/push-credits.ts';
import { readSettings, type Settings } from '../settings/read-settings.ts';
import { createUser } from '../users/create-user.ts';
import { hashPassword } from '../users/password-hash.ts';
import { findUserByEmail, normaliseEmail, type UserRow } from '../users/user-row.ts';
import { admitByInvitation } from '../member-invitations/register-by-invitation.ts';
import { checkCaptcha } from '../registrations/check-captcha.ts';
import { refuseDomain } from '../registrations/email-domains.ts';
import { giveRegistrationCredit, networkDigest } from '../registrations/registration-credit.ts';
import { refusePassword } from '../sign-on/only-sign-on.ts';
import { confirmAddress } from './confirm-address.ts';
import { makeLink, makeLinkUnlessYoung, takeLink } from './link-token.ts';
import { registerExistingEmail, sendConfirmation } from './register-existing-email.ts';
import { sendLink } from './send-link.ts';

const USE_INVITATION = `
  update invitation_codes set uses_count = uses_count + 1
  where digest = $1 and status = 'active' and uses_count < uses_max
    and (expires_at is null or expires_at > now())`;

const CHECK_INVITATION = `
  select 1 from invitation_codes
  where digest = $1 and status = 'active' and uses_count < uses_max
    and (expires_at is null or expires_at > now())`;

interface Applicant {
  readonly email: string;
  readonly passwordHash: string;
  readonly language: 'en' | 'zh-CN' | null;
  /** Demanded by the registration mode `invitation`; undefined otherwise. */
  readonly invitationCode: string | undefined;
  readonly mustVerifyEmail: boolean;
  /** The invitation by which the user registers was mailed to the address. */
  readonly isProven: boolean;
  readonly termsAccepted: boolean;
  readonly registeredFrom: Buffer;
  readonly withholdsCredit: boolean;
}

const INVITATION_INVALID = refuse(
  'invitation_invalid',
  'This invitation code is unknown, used up, disabled or expired. Ask the person who gave it to you for another.',
  { param: 'invitationCode' },
);

const TERMS_NOT_ACCEPTED = refuse(
  'invalid_value',
  'Registration requires consent to the terms and the privacy notice: send "termsAccepted": true.',
  { param: 'termsAccepted' },
);

/**
 * Registration may be closed or by invitation. That is told to everyone alike, before any address
 * is looked at.
 */
export async function refuseApplicant(
  db: Database,
  settings: Settings,
  {
    invitationCode,
    memberInvitationToken,
    termsAccepted,
  }: {
    readonly invitationCode?: string | undefined;
    readonly memberInvitationToken?: string | undefined;
    readonly termsAccepted?: boolean | undefined;
  },
): Promise<Refusal | undefined> {
  const isInvited = memberInvitationToken !== undefined;
  const mustAgree = settings.terms.trim() !== '' || settings.privacy.trim() !== '';
  const isClosed = settings.registrationMode === 'closed' && !isInvited;
  if (mustAgree && termsAccepted !== true && !isClosed) return TERMS_NOT_ACCEPTED;
  if (settings.registrationMode === 'open' || isInvited) return undefined;
  if (settings.registrationMode === 'closed') {
    return refuse(
      'registration_closed',
      'Registration is closed. Ask the operator for an account.',
    );
  }
  const { rowCount } = await db.query(CHECK_INVITATION, [digestOfCode(invitationCode ?? '')]);
  return rowCount === 0 ? INVITATION_INVALID : undefined;
}

/** Uses an invitation code up. */
export async function takeInvitationCode(
  db: Database,
  invitationCode: string | undefined,
): Promise<Refusal | undefined> {
  const used = await db.query(USE_INVITATION, [digestOfCode(invitationCode ?? '')]);
  return used.rowCount === 0 ? INVITATION_INVALID : undefined;
}

async function openAccount(
  context: AdminContext,
  settings: Settings,
  applicant: Applicant,
): Promise<{ readonly accountId: string; readonly link: string | null } | Refusal> {
  return inTransaction(context.pool, async (client) => {
    if (applicant.invitationCode !== undefined) {
      const refused = await takeInvitationCode(client, applicant.invitationCode);
      if (refused !== undefined) return refused;
    }
    const { userId, accountId } = await createUser(client, {
      email: applicant.email,
      accountName: applicant.email,
      passwordHash: applicant.passwordHash,
      role: 'user',
      mustVerifyEmail: applicant.mustVerifyEmail,
      language: applicant.language,
      termsAccepted: applicant.termsAccepted,
      registeredFrom: applicant.registeredFrom,
      withholdsCredit: applicant.withholdsCredit,
    });
    if (applicant.isProven) {
      const confirmed = await confirmAddress(client, context, userId);
      if ('refused' in confirmed) return confirmed;
    }
    if (applicant.mustVerifyEmail) {
      const { consoleUrl } = context;
      const link = await makeLink(client, { userId, purpose: 'verify_email', consoleUrl });
      return { accountId, link };
    }
    await giveRegistrationCredit(client, context, { settings, userId });
    return { accountId, link: null };
  });
}

/**
 * Opens an account and sends its link; answers the user when another registration of the address
 * came first.
 */
async function openUnlessKnown(
  context: AdminContext,
  settings: Settings,
  applicant: Applicant,
): Promise<UserRow | Refusal | undefined> {
  const { email, language } = applicant;
  try {
    const opened = await openAccount(context, settings, applicant);
    if ('refused' in opened) return opened;
    const { accountId, link } = opened;
    if (link === null) await pushCredits(context, accountId);
    else sendLink(context, settings, { kind: 'verify', user: { email, language }, link });
    return undefined;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return findUserByEmail(context.pool, email);
  }
}

interface Admission {
  readonly byCode: boolean;
  readonly isProven: boolean;
  readonly withholdsCredit: boolean;
}

/** Admits an applicant by the registration mode, or by an invitation into an account. */
async function admit(
  call: Call<'register'>,
  settings: Settings,
  email: string,
): Promise<Admission | Refusal> {
  const { context, body } = call;
  const refused =
    refuseDomain(settings, email) ??
    (await refusePassword(context.pool, email)) ??
    (await refuseApplicant(context.pool, settings, body));
  if (refused !== undefined) return refused;
  const token = body.memberInvitationToken;
  if (token === undefined) {
    const captcha = await checkCaptcha(context, settings, call);
    if (captcha !== 'passed' && captcha !== 'away') return captcha;
    const byCode = settings.registrationMode === 'invitation';
    return { byCode, isProven: false, withholdsCredit: captcha === 'away' };
  }
  const invitation = await admitByInvitation(context, call, { token, email });
  if ('refused' in invitation) return invitation;
  // No captcha was solved, and customers must not make users with credit.
  return { byCode: false, isProven: invitation.mailed, withholdsCredit: true };
}

export async function register(
  call: Call<'register'>,
): Promise<{ readonly next: 'verification' | 'login' } | Refusal> {
  const { context, body } = call;
  const email = normaliseEmail(body.email);
  const tooMany = await countAttempt(context, 'register', email);
  if (tooMany !== undefined) return tooMany;
  const settings = await readSettings(context.pool);
  const admission = await admit(call, settings, email);
  if ('refused' in admission) return admission;
  const passwordHash = await hashPassword(body.password);
  if (typeof passwordHash !== 'string') return passwordHash;
  const { byCode, isProven, withholdsCredit } = admission;
  const mustVerifyEmail = settings.emailVerificationRequired && !isProven;
  const next = mustVerifyEmail ? 'verification' : 'login';
  const applicant = {
    email,
    passwordHash,
    language: body.language ?? null,
    invitationCode: byCode ? (body.invitationCode ?? '') : undefined,
    mustVerifyEmail,
    isProven,
    termsAccepted: body.termsAccepted ?? false,
    registeredFrom: networkDigest(context, call.address),
    withholdsCredit,
  };
  const known =
    (await findUserByEmail(context.pool, email)) ??
    (await openUnlessKnown(context, settings, applicant));
  if (known === undefined) return { next };
  if ('refused' in known) return known;
  // A code that is left over after an address was tried would tell that the address is known.
  const invalid = byCode ? await takeInvitationCode(context.pool, body.invitationCode) : undefined;
  if (invalid !== undefined) return invalid;
  await registerExistingEmail(context, settings, { user: known, password: body.password });
  return { next };
}

export async function requestVerification(
  call: Call<'requestVerification'>,
): Promise<undefined | Refusal> {
  const { context } = call;
  const email = normaliseEmail(call.body.email);
  const tooMany = await countAttempt(context, 'verify', email);
  if (tooMany !== undefined) return tooMany;
  const user = await findUserByEmail(context.pool, email);
  if (user?.emailVerifiedAt !== null || user.disabledAt !== null) return undefined;
  await sendConfirmation(context, await readSettings(context.pool), user);
  return undefined;
}

export async function verifyEmail(call: Call<'verifyEmail'>): Promise<undefined | Refusal> {
  const { context, body } = call;
  const verified = await inTransaction(context.pool, async (client) => {
    const taken = await takeLink(client, 'verify_email', body.token);
    if ('refused' in taken) return taken;
    return confirmAddress(client, context, taken.userId);
  });
  if ('refused' in verified) return verified;
  await pushCredits(context, verified.accountId);
  return undefined;
}

export async function requestPasswordReset(
  call: Call<'requestPasswordReset'>,
): Promise<undefined | Refusal> {
  const { context, address } = call;
  const email = normaliseEmail(call.body.email);
  const tooMany = await countAttemptFrom(context, 'reset', { email, address });
  if (tooMany !== undefined) return tooMany;
  const signOn = await refusePassword(context.pool, email);
  if (signOn !== undefined) return signOn;
  const user = await findUserByEmail(context.pool, email);
  if (user?.disabledAt !== null) return undefined;
  const settings = await readSettings(context.pool);
  const { consoleUrl } = context;
  const link = await makeLinkUnlessYoung(context.pool, {
    userId: user.id,
    purpose: 'reset_password',
    consoleUrl,
  });
  if (link !== undefined) sendLink(context, settings, { kind: 'reset', user, link });
  return undefined;
}
