import type pg from 'pg';
import { generateKey, keyDigest } from '../../platform/secrets/api-key.ts';
import { digestOf, newToken } from '../../platform/secrets/opaque-token.ts';
import type { LoginContext, OAuthReply } from './login-task.ts';

/** Access tokens of one login that work at once. Former ones serve requests that are under way. */
const ACCESS_TOKENS_MAX = 20;
/** Used tokens of a login that are remembered, so that a tool in a loop fills no disk. */
const USED_TOKENS_MAX = 100;
const REFRESH_TOKEN_PREFIX = 'weir_rt_';

/** A login that a token leads to. */
export interface LoginRow {
  readonly id: string;
  readonly keyId: string;
  readonly email: string | null;
  readonly accountId: string;
  /** False when its key, its member or the person's login has ended. */
  readonly usable: boolean;
}

/** The columns of a LoginRow, of `LOGIN_TABLES`. */
export const LOGIN_COLUMNS = `
  d.id, d.key_id as "keyId", k.account_id as "accountId", u.email,
  k.status = 'active' and coalesce(m.ended_at, u.disabled_at) is null
    and (k.expires_at is null or k.expires_at > now()) as usable`;
export const LOGIN_TABLES = `
  device_logins d join keys k on k.id = d.key_id
  left join members m on m.id = k.member_id left join users u on u.id = m.user_id`;

const INSERT_ACCESS = `
  insert into key_aliases (digest, key_id, purpose, works_until, unchecked_prefix)
  values ($1, $2, 'login', now() + make_interval(secs => $3), null)`;
const DROP_OLDEST = `
  delete from key_aliases where digest in (
    select digest from key_aliases where key_id = $1 and purpose = 'login'
    order by works_until desc offset ${String(ACCESS_TOKENS_MAX)})`;
const DROP_OLDEST_USED = `
  delete from device_login_tokens where digest in (
    select digest from device_login_tokens where login_id = $1 and used_at is not null
    order by used_at desc offset ${String(USED_TOKENS_MAX)})`;
const INSERT_REFRESH = 'insert into device_login_tokens (digest, login_id) values ($1, $2)';

/** Gives a login an access token, which is a value of its key, and a token to renew it. */
export async function issueTokens(
  db: pg.PoolClient,
  { secrets, accessTokenSeconds }: LoginContext,
  { id, keyId, email }: Pick<LoginRow, 'id' | 'keyId' | 'email'>,
): Promise<OAuthReply> {
  const { key } = generateKey(secrets);
  const refreshToken = newToken(REFRESH_TOKEN_PREFIX);
  await db.query(INSERT_ACCESS, [keyDigest(secrets, key), keyId, accessTokenSeconds]);
  await db.query(DROP_OLDEST, [keyId]);
  await db.query(DROP_OLDEST_USED, [id]);
  await db.query(INSERT_REFRESH, [digestOf(refreshToken), id]);
  return {
    status: 200,
    body: {
      access_token: key,
      token_type: 'Bearer',
      expires_in: accessTokenSeconds,
      refresh_token: refreshToken,
      ...(email !== null && { email }),
    },
  };
}
