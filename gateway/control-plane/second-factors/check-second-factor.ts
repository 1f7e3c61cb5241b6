import { Secret, TOTP } from 'otpauth';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { unseal } from '../../platform/secrets/secrets.ts';
import { countAttempt, forgetAttempts } from '../api/callers/attempts.ts';
import { digestOfCode } from '../api/callers/opaque-token.ts';
import type { AdminContext } from '../api/context.ts';

/** RFC 6238's defaults, which every authenticator app knows. */
export const TOTP_PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** One step early or late, for clocks that differ. */
const STEPS_TOLERATED = 1;

const CONFIRMED = `
  select sealed from second_factors where user_id = $1 and confirmed_at is not null`;

/** Takes a time step once: an observer of a code cannot use it again. */
const USE_STEP = `
  update second_factors set used_step = $2 where user_id = $1 and used_step < $2`;

const USE_RECOVERY_CODE = `
  update recovery_codes set used_at = now() where user_id = $1 and digest = $2 and used_at is null`;

const INVALID = refuse(
  'second_factor_invalid',
  'The code is wrong or was used before. Wait for the next one, and check that the clock of your device is right.',
  { param: 'code' },
);

/** The time step a code belongs to, undefined when it is wrong. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ ...TOTP_PARAMETERS, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: STEPS_TOLERATED });
  if (delta === null) return undefined;
  return Math.floor(nowMs / 1000 / TOTP_PARAMETERS.period) + delta;
}

async function isRightCode(context: AdminContext, userId: string, code: string): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) {
    const used = await context.pool.query(USE_RECOVERY_CODE, [userId, digestOfCode(code)]);
    return used.rowCount === 1;
  }
  const { rows } = await context.pool.query<{ sealed: string }>(CONFIRMED, [userId]);
  const [factor] = rows;
  if (factor === undefined) return false;
  const step = stepOfCode(unseal(context.secrets, factor.sealed), code, databaseNowMs());
  if (step === undefined) return false;
  const used = await context.pool.query(USE_STEP, [userId, step]);
  return used.rowCount === 1;
}

/** Checks a one-time password or a recovery code and uses it up. */
export async function checkSecondFactor(
  context: AdminContext,
  userId: string,
  code: string,
): Promise<Refusal | undefined> {
  const tooMany = await countAttempt(context, 'second_factor', userId);
  if (tooMany !== undefined) return tooMany;
  if (!(await isRightCode(context, userId, code))) return INVALID;
  await forgetAttempts(context, 'second_factor', userId);
  return undefined;
}
