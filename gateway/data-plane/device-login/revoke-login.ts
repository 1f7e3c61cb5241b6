import { keyDigests } from '../../platform/secrets/api-key.ts';
import { digestOf } from '../../platform/secrets/opaque-token.ts';
import { runTransaction } from '../../stores/postgres/run-transaction.ts';
import { endLogin } from './end-login.ts';
import type { LoginContext, LoginTask, OAuthReply } from './login-task.ts';
import { LOGIN_COLUMNS, LOGIN_TABLES, type LoginRow } from './tokens.ts';

const FIND = `
  select ${LOGIN_COLUMNS} from ${LOGIN_TABLES}
  where k.status <> 'deleted' and (
    d.id in (select login_id from device_login_tokens where digest = $1)
    or d.key_id in (select key_id from key_aliases where purpose = 'login' and digest = any ($2)))`;

/** Signs a tool out by either of its tokens. An unknown token is as good as revoked (RFC 7009). */
export function revokeLogin(
  { token, address }: Extract<LoginTask, { kind: 'revoke' }>,
  { pool, secrets }: LoginContext,
): Promise<OAuthReply> {
  return runTransaction(pool, async (db) => {
    const { rows } = await db.query<LoginRow>(FIND, [digestOf(token), keyDigests(secrets, token)]);
    const [login] = rows;
    if (login !== undefined) await endLogin(db, login, { reason: 'signed_out', address });
    return { status: 200, body: {} };
  });
}
