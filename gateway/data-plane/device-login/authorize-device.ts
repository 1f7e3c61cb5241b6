import { shownUserCode } from '@weir/shared/people/user-code';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { networkOf } from '../../platform/network/address.ts';
import { digestOf, newToken } from '../../platform/secrets/opaque-token.ts';
import { newUserCode, userCodeDigest } from '../../platform/secrets/user-code.ts';
import { oauthError, type LoginContext, type LoginTask, type OAuthReply } from './login-task.ts';

/** The time in which a person allows a login. */
const CODE_SECONDS = 600;
/** The interval at which a tool may ask for its token. */
const POLL_SECONDS = 5;
/** Codes of one network that wait for a person. */
const PENDING_PER_NETWORK_MAX = 20;
/**
 * Codes of all networks that wait: one guess in two million finds one of them (20^8 codes), and a
 * user has few guesses.
 */
const PENDING_MAX = 10_000;
/** Two codes that wait are hardly ever the same. */
const ATTEMPTS_MAX = 3;

const INSERT = `
  insert into device_logins (id, tool, device, address, network, device_digest, user_code_digest, expires_at, poll_seconds)
  select $1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => ${String(CODE_SECONDS)}), ${String(POLL_SECONDS)}
  where (select count(*) from device_logins where network = $5 and status = 'pending' and expires_at > now())
      < ${String(PENDING_PER_NETWORK_MAX)}
    and (select count(*) from device_logins where status = 'pending' and expires_at > now()) < ${String(PENDING_MAX)}
  on conflict (user_code_digest) do nothing`;

/** The codes of a new login; the HTTP thread adds the addresses. */
export interface DeviceCodes {
  readonly device_code: string;
  readonly user_code: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** Begins a login: makes the tool's code and the person's. */
export async function authorizeDevice(
  task: Extract<LoginTask, { kind: 'authorize' }>,
  { pool, secrets }: LoginContext,
): Promise<OAuthReply> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const deviceCode = newToken();
    const userCode = newUserCode();
    const { rowCount } = await pool.query(INSERT, [
      newRequestId(Date.now()),
      task.tool,
      task.device,
      task.address,
      networkOf(task.address),
      digestOf(deviceCode),
      userCodeDigest(secrets, userCode),
    ]);
    if (rowCount === 1) {
      const body: DeviceCodes = {
        device_code: deviceCode,
        user_code: shownUserCode(userCode),
        expires_in: CODE_SECONDS,
        interval: POLL_SECONDS,
      };
      return { status: 200, body };
    }
  }
  return oauthError(
    'slow_down',
    'Too many logins from this network wait for an answer. Try again in ten minutes.',
    429,
  );
}
