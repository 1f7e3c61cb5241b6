import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { refuseRoleByToken } from '../api/callers/authorize.ts';
import type { Answer, Call } from '../api/call.ts';
import { newToken } from '../api/callers/opaque-token.ts';
import { inTransaction, isDuplicate } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import type { AuditReceipt } from '../audit/audit-receipt.ts';
import { writeMail } from '../mail/mails.ts';
import { makeLink, WELCOME_HOURS } from '../sessions/link-token.ts';
import { readSettings } from '../settings/read-settings.ts';
import { createUser } from '../users/create-user.ts';
import { hashPassword } from '../users/password-hash.ts';
import { normaliseEmail } from '../users/user-row.ts';
import { accountAdminView, findAccount, readBalance } from './account-row.ts';

interface Opened {
  readonly accountId: string;
  readonly link: string;
  readonly audit: AuditReceipt;
}

async function openAccount(
  call: Call<'createAccount'>,
  email: string,
  passwordHash: string,
): Promise<Opened | Refusal> {
  const { body, context } = call;
  const { consoleUrl } = context;
  return inTransaction(context.pool, async (client) => {
    const role = body.role ?? 'user';
    const { userId, accountId } = await createUser(client, {
      email,
      accountName: body.name,
      passwordHash,
      role,
      mustVerifyEmail: false,
      language: null,
    });
    const hours = WELCOME_HOURS;
    const link = await makeLink(client, { userId, purpose: 'reset_password', consoleUrl, hours });
    const after = { name: body.name, email, role };
    const change = { kind: 'account', id: accountId, before: null, after };
    return { accountId, link, audit: await audit(client, call, change) };
  });
}

/** Opens an account. No one knows its first password; the link lets its user choose one. */
export async function createAccount(call: Call<'createAccount'>): Answer<'createAccount'> {
  const { body, context, caller } = call;
  const byToken = (body.role ?? 'user') === 'user' ? undefined : refuseRoleByToken(caller);
  if (byToken !== undefined) return byToken;
  const email = normaliseEmail(body.email);
  const passwordHash = await hashPassword(newToken());
  if (typeof passwordHash !== 'string') return passwordHash;
  let opened: Opened | Refusal;
  try {
    opened = await openAccount(call, email, passwordHash);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse('already_exists', 'There is a user with this address.', { param: 'email' });
  }
  if ('refused' in opened) return opened;
  const { siteName } = await readSettings(context.pool);
  context.mailer.send(
    writeMail('welcome', { to: email, siteName, language: null, link: opened.link }),
  );
  const account = await findAccount(context.pool, opened.accountId);
  if (account === undefined) throw new Error('an account that was opened is gone');
  const balance = await readBalance(context, opened.accountId);
  return { view: accountAdminView(account, balance), audit: opened.audit };
}
