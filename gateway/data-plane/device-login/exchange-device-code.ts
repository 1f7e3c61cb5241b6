import type pg from 'pg';
import { digestOf } from '../../platform/secrets/opaque-token.ts';
import { runTransaction } from '../../stores/postgres/run-transaction.ts';
import { endLogin } from './end-login.ts';
import { oauthError, type LoginContext, type LoginTask, type OAuthReply } from './login-task.ts';
import { issueTokens, LOGIN_COLUMNS, LOGIN_TABLES, type LoginRow } from './tokens.ts';

/** Added to the interval of a tool that asks too often (RFC 8628, 3.5). */
const SLOW_DOWN_SECONDS = 5;
/** A tool that keeps to its interval may still be early, by the time that its requests take. */
const EARLY_SECONDS = 1;

const LOCK = `
  select id, status, expires_at <= now() as expired,
    polled_at > now() - make_interval(secs => poll_seconds - ${String(EARLY_SECONDS)}) as "tooSoon"
  from device_logins where device_digest = $1 for update`;
const POLLED = `
  update device_logins set polled_at = now(), poll_seconds = poll_seconds + $2 where id = $1`;
const FIND_LOGIN = `select ${LOGIN_COLUMNS} from ${LOGIN_TABLES} where d.id = $1`;
const USE = `update device_logins set status = 'used' where id = $1`;

interface DeviceRow {
  readonly id: string;
  readonly status: 'pending' | 'allowed' | 'denied' | 'used';
  readonly expired: boolean;
  readonly tooSoon: boolean | null;
}

const UNKNOWN = oauthError(
  'invalid_grant',
  'This device code is unknown or was used. Start the login again.',
);
const DENIED = oauthError('access_denied', 'The login was denied in the console.');
const EXPIRED = oauthError('expired_token', 'The login was not allowed in time. Start it again.');
const PENDING = oauthError(
  'authorization_pending',
  'The login was not answered in the console yet.',
);
const SLOW_DOWN = oauthError('slow_down', 'Ask less often: five seconds more between requests.');

/** Gives a tool its tokens once a person has allowed its login; an error says why not yet. */
export function exchangeDeviceCode(
  { deviceCode, address }: Extract<LoginTask, { kind: 'poll' }>,
  context: LoginContext,
): Promise<OAuthReply> {
  return runTransaction(context.pool, async (db) => {
    const { rows } = await db.query<DeviceRow>(LOCK, [digestOf(deviceCode)]);
    const [device] = rows;
    if (device === undefined) return UNKNOWN;
    const login = await findLogin(db, device.id);
    if (device.status === 'used') {
      // Another program has the code too, and may be the one that has the tokens.
      if (login?.usable === true) {
        await endLogin(db, login, { reason: 'device_code_used_twice', address });
      }
      return UNKNOWN;
    }
    if (device.status === 'denied') return DENIED;
    if (device.expired) return EXPIRED;
    // A tool that never asks less often gets its tokens too, once a person has allowed it.
    if (login === undefined) return poll(db, device);
    if (!login.usable) return DENIED;
    await db.query(USE, [device.id]);
    return issueTokens(db, context, login);
  });
}

async function findLogin(db: pg.PoolClient, id: string): Promise<LoginRow | undefined> {
  return (await db.query<LoginRow>(FIND_LOGIN, [id])).rows[0];
}

async function poll(db: pg.PoolClient, { id, tooSoon }: DeviceRow): Promise<OAuthReply> {
  await db.query(POLLED, [id, tooSoon === true ? SLOW_DOWN_SECONDS : 0]);
  return tooSoon === true ? SLOW_DOWN : PENDING;
}
