import { refuse, type Refusal } from '../../errors/refusal.ts';
import { isDuplicate, inTransaction, type Database } from '../api/transaction.ts';
import { countAttempt } from '../api/attempts.ts';
import type { Call } from '../api/call.ts';
import { digestOfCode } from '../api/carried-secret.ts';
import type { AdminContext } from '../api/context.ts';
import { addCredit } from '../credits/add-credit.ts';
import { pushCredits } from '../credits/push-credits.ts';
import { writeMail } from '../mail/mails.ts';
import { readSettings, type Settings } from '../settings/read-settings.ts';
import { createUser } from '../users/create-user.ts';
import { hashPassword } from '../users/password-hash.ts';
import { findUserByEmail, normaliseEmail, type UserRow } from '../users/user-row.ts';
import { makeLink, takeLink } from './link-token.ts';

const USE_INVITATION = `
  update invitation_codes set uses_count = uses_count + 1
  where digest = $1 and status = 'active' and uses_count < uses_max
    and (expires_at is null or expires_at > now())`;

const CHECK_INVITATION = `
  select 1 from invitation_codes
  where digest = $1 and status = 'active' and uses_count < uses_max
    and (expires_at is null or expires_at > now())`;

const CHANGE_UNVERIFIED_PASSWORD = `
  update users set password_hash = $2, updated_at = now() where id = $1 and email_verified_at is null`;

const VERIFY = `
  update users set email_verified_at = coalesce(email_verified_at, now()), updated_at = now()
  where id = $1 and disabled_at is null
  returning account_id as "accountId", must_verify_email as "mustVerifyEmail"`;

interface VerifiedRow {
  readonly accountId: string;
  readonly mustVerifyEmail: boolean;
}

interface Applicant {
  readonly email: string;
  readonly passwordHash: string;
  readonly language: 'en' | 'zh-CN' | null;
  readonly invitationCode: string | undefined;
}

const INVITATION_INVALID = refuse(
  'invitation_invalid',
  'This invitation code is unknown, used up, disabled or expired. Ask whoever gave it to you for another.',
  { param: 'invitationCode' },
);

/** Registration may be closed or by invitation. That is told to everyone alike, before any address is looked at. */
async function refuseApplicant(
  db: Database,
  settings: Settings,
  invitationCode: string | undefined,
): Promise<Refusal | undefined> {
  if (settings.registrationMode === 'open') return undefined;
  if (settings.registrationMode === 'closed') {
    return refuse(
      'registration_closed',
      'Registration is closed. Ask the operator for an account.',
    );
  }
  const { rowCount } = await db.query(CHECK_INVITATION, [digestOfCode(invitationCode ?? '')]);
  return rowCount === 0 ? INVITATION_INVALID : undefined;
}

async function useInvitation(
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
    if (settings.registrationMode === 'invitation') {
      const refused = await useInvitation(client, applicant.invitationCode);
      if (refused !== undefined) return refused;
    }
    const { userId, accountId } = await createUser(client, {
      email: applicant.email,
      accountName: applicant.email,
      passwordHash: applicant.passwordHash,
      role: 'user',
      mustVerifyEmail: settings.emailVerificationRequired,
      language: applicant.language,
    });
    if (settings.emailVerificationRequired) {
      const { consoleUrl } = context;
      const link = await makeLink(client, { userId, purpose: 'verify_email', consoleUrl });
      return { accountId, link };
    }
    await giveRegistrationCredit(client, settings, accountId);
    return { accountId, link: null };
  });
}

async function giveRegistrationCredit(
  db: Database,
  settings: Settings,
  accountId: string,
): Promise<void> {
  if (settings.registrationCreditNanoUsd === 0) return;
  await addCredit(db, {
    entryId: `registration:${accountId}`,
    accountId,
    amountNanoUsd: settings.registrationCreditNanoUsd,
    kind: 'adjustment',
    reason: 'Registration credit',
    actor: 'system',
  });
}

/**
 * The address is known. Its owner gets a mail that says so; whoever asked learns nothing. An address that was
 * never confirmed may belong to anyone, so the newest password and the newest link win together.
 */
async function meetKnownAddress(
  context: AdminContext,
  settings: Settings,
  options: { readonly user: UserRow; readonly passwordHash: string },
): Promise<void> {
  const { user } = options;
  const isPending = user.mustVerifyEmail && user.emailVerifiedAt === null;
  const purpose = isPending ? 'verify_email' : 'reset_password';
  if (isPending) {
    await context.pool.query(CHANGE_UNVERIFIED_PASSWORD, [user.id, options.passwordHash]);
  }
  const { consoleUrl } = context;
  const link = await makeLink(context.pool, { userId: user.id, purpose, consoleUrl });
  sendLink(context, settings, { kind: isPending ? 'verify' : 'known', user, link });
}

function sendLink(
  context: AdminContext,
  settings: Settings,
  options: {
    readonly kind: 'verify' | 'known' | 'reset';
    readonly user: Pick<UserRow, 'email' | 'language'>;
    readonly link: string;
  },
): void {
  const { email: to, language } = options.user;
  const { siteName } = settings;
  context.mailer.send(writeMail(options.kind, { to, siteName, language, link: options.link }));
}

export async function register(
  call: Call<'register'>,
): Promise<{ readonly next: 'verification' | 'login' } | Refusal> {
  const { context, body } = call;
  const email = normaliseEmail(body.email);
  const tooMany = await countAttempt(context, 'register', email);
  if (tooMany !== undefined) return tooMany;
  const settings = await readSettings(context.pool);
  const refused = await refuseApplicant(context.pool, settings, body.invitationCode);
  if (refused !== undefined) return refused;
  const passwordHash = await hashPassword(body.password);
  if (typeof passwordHash !== 'string') return passwordHash;
  const next = settings.emailVerificationRequired ? 'verification' : 'login';
  const known = await findUserByEmail(context.pool, email);
  if (known !== undefined) {
    // A code that is left over after an address was tried would tell that the address is known.
    const byInvitation = settings.registrationMode === 'invitation';
    const invalid = byInvitation
      ? await useInvitation(context.pool, body.invitationCode)
      : undefined;
    if (invalid !== undefined) return invalid;
    await meetKnownAddress(context, settings, { user: known, passwordHash });
    return { next };
  }
  const language = body.language ?? null;
  const applicant = { email, passwordHash, language, invitationCode: body.invitationCode };
  try {
    const opened = await openAccount(context, settings, applicant);
    if ('refused' in opened) return opened;
    if (opened.link === null) await pushCredits(context, opened.accountId);
    else
      sendLink(context, settings, { kind: 'verify', user: { email, language }, link: opened.link });
  } catch (error) {
    // Two registrations of one address at the same moment: the other one won, and the answer is the same.
    if (!isDuplicate(error)) throw error;
  }
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
  const settings = await readSettings(context.pool);
  const { consoleUrl } = context;
  const link = await makeLink(context.pool, {
    userId: user.id,
    purpose: 'verify_email',
    consoleUrl,
  });
  sendLink(context, settings, { kind: 'verify', user, link });
  return undefined;
}

export async function verifyEmail(call: Call<'verifyEmail'>): Promise<undefined | Refusal> {
  const { context, body } = call;
  const verified = await inTransaction(context.pool, async (client) => {
    const taken = await takeLink(client, 'verify_email', body.token);
    if ('refused' in taken) return taken;
    const { rows } = await client.query<VerifiedRow>(VERIFY, [taken.userId]);
    const [user] = rows;
    if (user === undefined) return refuse('link_invalid');
    if (user.mustVerifyEmail) {
      await giveRegistrationCredit(client, await readSettings(client), user.accountId);
    }
    return user;
  });
  if ('refused' in verified) return verified;
  await pushCredits(context, verified.accountId);
  return undefined;
}

export async function requestPasswordReset(
  call: Call<'requestPasswordReset'>,
): Promise<undefined | Refusal> {
  const { context } = call;
  const email = normaliseEmail(call.body.email);
  const tooMany = await countAttempt(context, 'reset', email);
  if (tooMany !== undefined) return tooMany;
  const user = await findUserByEmail(context.pool, email);
  if (user?.disabledAt !== null) return undefined;
  const settings = await readSettings(context.pool);
  const { consoleUrl } = context;
  const link = await makeLink(context.pool, {
    userId: user.id,
    purpose: 'reset_password',
    consoleUrl,
  });
  sendLink(context, settings, { kind: 'reset', user, link });
  return undefined;
}
