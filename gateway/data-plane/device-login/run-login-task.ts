import { authorizeDevice } from './authorize-device.ts';
import { exchangeDeviceCode } from './exchange-device-code.ts';
import { type LoginContext, type LoginTask, type OAuthReply, oauthError } from './login-task.ts';
import { digestOf } from '../../platform/secrets/opaque-token.ts';
import { runTransaction } from '../../stores/postgres/run-transaction.ts';
import { endLogin } from './end-login.ts';
import { issueTokens, LOGIN_COLUMNS, LOGIN_TABLES, type LoginRow } from './tokens.ts';
import { keyDigests } from '../../platform/secrets/api-key.ts';

const FIND = `
  select ${LOGIN_COLUMNS} from ${LOGIN_TABLES}
  where k.status <> 'deleted' and (
    d.id in (select login_id from device_login_tokens where digest = $1)
    or d.key_id in (select key_id from key_aliases where purpose = 'login' and digest = any ($2)))`;

/** Signs a tool out by either of its tokens. An unknown token is as good as revoked (RFC 7009). */
function revokeLogin(
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

const LOCK = `
  select ${LOGIN_COLUMNS},
    coalesce(t.used_at < now() - make_interval(secs => $2), false) as "usedBefore"
  from ${LOGIN_TABLES} join device_login_tokens t on t.login_id = d.id
  where t.digest = $1 for update of t`;
const USE = 'update device_login_tokens set used_at = coalesce(used_at, now()) where digest = $1';

/** Tools end the login at this status and word, and ask their user to log in again. */
const ENDED = oauthError('invalid_grant', 'This login has ended. Log in again.', 401);

/**
 * Gives a login new tokens for one that was not used before. A token works again as long after its
 * use as an access token does: the reply may have been lost, and each process of a tool keeps
 * the token that it began with, and renews it when it is needed next. Later it was copied.
 */
function refreshTokens(
  { refreshToken, address }: Extract<LoginTask, { kind: 'refresh' }>,
  context: LoginContext,
): Promise<OAuthReply> {
  const digest = digestOf(refreshToken);
  return runTransaction(context.pool, async (db) => {
    const { rows } = await db.query<LoginRow & { usedBefore: boolean }>(LOCK, [
      digest,
      context.accessTokenSeconds,
    ]);
    const [login] = rows;
    if (login === undefined) return ENDED;
    if (login.usedBefore) {
      await endLogin(db, login, { reason: 'refresh_token_used_twice', address });
      return ENDED;
    }
    if (!login.usable) return ENDED;
    await db.query(USE, [digest]);
    return issueTokens(db, context, login);
  });
}

/** Does a login's task on a worker thread. */
export function runLoginTask(task: LoginTask, context: LoginContext): Promise<OAuthReply> {
  switch (task.kind) {
    case 'authorize':
      return authorizeDevice(task, context);
    case 'poll':
      return exchangeDeviceCode(task, context);
    case 'refresh':
      return refreshTokens(task, context);
    case 'revoke':
      return revokeLogin(task, context);
  }
}
