import type { PasswordResetView, UserView } from '@weir/shared/people/users';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction, isDuplicate, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { writeMail } from '../mail/mails.ts';
import { makeLink, RESET_BY_ADMIN_HOURS } from '../sessions/link-token.ts';
import { readSettings } from '../settings/read-settings.ts';
import { NO_PASSWORD } from './password-hash.ts';
import { setEmail } from './set-email.ts';
import { findUser, normaliseEmail, userView, type UserRow } from './user-row.ts';

const SET_PASSWORD = 'update users set password_hash = $2, updated_at = now() where id = $1';
const END_ACCESS = [
  'delete from sessions where user_id = $1',
  'delete from access_tokens where user_id = $1',
];
const ERASED = 'select 1 from accounts where id = $1 and deleted_at is not null';

export const NO_USER = refuse('not_found', 'There is no such user.');

/** Refuses a user whose account was deleted: nothing identifies them any more. */
export async function refuseErased(db: Database, user: UserRow): Promise<Refusal | undefined> {
  const { rowCount } = await db.query(ERASED, [user.accountId]);
  return rowCount === 0 ? undefined : NO_USER;
}

/**
 * Ends all access to a user's account, and lets the user choose a password: by mail, or by the link
 * that an administrator hands on where there is no mail.
 */
export async function resetPasswordOfUser(
  call: Call<'resetPasswordOfUser'>,
): Answer<'resetPasswordOfUser'> {
  const { context, caller, params } = call;
  if (params.userId === caller.userId) {
    return refuse('state_conflict', 'Change your own password on the page about your security.');
  }
  const { consoleUrl, mailer } = context;
  const hours = RESET_BY_ADMIN_HOURS;
  const reset = await inTransaction(context.pool, async (client) => {
    const user = await findUser(client, params.userId, { lock: true });
    if (user === undefined) return NO_USER;
    const refused = await refuseErased(client, user);
    if (refused !== undefined) return refused;
    if (user.disabledAt !== null) {
      return refuse('state_conflict', 'This user is disabled. Enable the user first.');
    }
    await client.query(SET_PASSWORD, [user.id, NO_PASSWORD]);
    for (const statement of END_ACCESS) await client.query(statement, [user.id]);
    const purpose = 'reset_password';
    const link = await makeLink(client, { userId: user.id, purpose, consoleUrl, hours });
    const change = { kind: 'user', id: user.id, before: null, after: null };
    return { user, link, audit: await audit(client, call, change) };
  });
  if ('refused' in reset) return reset;
  const { user, link } = reset;
  const { siteName } = await readSettings(context.pool);
  const { email: to, language } = user;
  mailer.send(writeMail('reset_by_admin', { to, siteName, language, link }));
  const view: PasswordResetView = {
    mailed: mailer.configured,
    link: mailer.configured ? null : link,
    hours,
  };
  return { view, audit: reset.audit };
}

async function changeEmail(
  call: Call<'changeEmailOfUser'>,
  email: string,
): Promise<
  | {
      readonly user: UserRow;
      readonly view: UserView;
      readonly audit: Awaited<ReturnType<typeof audit>>;
    }
  | Refusal
> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const user = await findUser(client, params.userId, { lock: true });
    if (user === undefined) return NO_USER;
    const refused = await refuseErased(client, user);
    if (refused !== undefined) return refused;
    // Whether an address was confirmed stays: an administrator vouches for a new one as for the
    // former.
    await setEmail(client, user, email);
    const before = userView(user);
    const view = { ...before, email };
    const change = { kind: 'user', id: user.id, before, after: view };
    return { user, view, audit: await audit(client, call, change) };
  });
}

/** Changes the address that a user logs in with, and notifies both addresses. */
export async function changeEmailOfUser(
  call: Call<'changeEmailOfUser'>,
): Answer<'changeEmailOfUser'> {
  const { context, caller, params, body } = call;
  // A thief of a session could otherwise have the password reset to an address of their own.
  if (params.userId === caller.userId) {
    return refuse('state_conflict', 'Ask another administrator to change your own address.');
  }
  const email = normaliseEmail(body.email);
  let changed: Awaited<ReturnType<typeof changeEmail>>;
  try {
    changed = await changeEmail(call, email);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse('already_exists', 'There is a user with this address.', { param: 'email' });
  }
  if ('refused' in changed) return changed;
  const { user, view } = changed;
  if (user.email !== email) {
    const { siteName, supportUrl } = await readSettings(context.pool);
    const { language } = user;
    const help = supportUrl === '' ? context.consoleUrl : supportUrl;
    const link = `${context.consoleUrl}/login`;
    const { mailer } = context;
    mailer.send(writeMail('email_taken_away', { to: user.email, siteName, language, link: help }));
    mailer.send(writeMail('email_given', { to: email, siteName, language, link }));
  }
  return { view, audit: changed.audit };
}
