import { digestOf } from '../../platform/secrets/opaque-token.ts';
import { runTransaction } from '../../stores/postgres/run-transaction.ts';
import { endLogin } from './end-login.ts';
import { oauthError, type LoginContext, type LoginTask, type OAuthReply } from './login-task.ts';
import { issueTokens, LOGIN_COLUMNS, LOGIN_TABLES, type LoginRow } from './tokens.ts';

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
export function refreshTokens(
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
