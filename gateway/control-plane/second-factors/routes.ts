import { Secret, TOTP } from 'otpauth';
import type { SESSION_ROUTES } from '@weir/shared/api/admin-routes/sessions';
import type { RecoveryCodes, SecondFactorEnrolment } from '@weir/shared/people/second-factors';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { seal, unseal } from '../../platform/secrets/secrets.ts';
import { countAttempt, forgetAttempts } from '../api/callers/attempts.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { digestOfCode, newCode } from '../api/callers/opaque-token.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { auditOwn } from '../audit/audit-log.ts';
import { readSettings } from '../settings/read-settings.ts';
import { verifyPassword } from '../users/password-hash.ts';
import { findUser } from '../users/user-row.ts';
import { checkSecondFactor, stepOfCode, TOTP_PARAMETERS } from './check-second-factor.ts';

type Table = Pick<
  typeof SESSION_ROUTES,
  'beginSecondFactor' | 'confirmSecondFactor' | 'removeSecondFactor' | 'renewRecoveryCodes'
>;

export const secondFactorHandlers: HandlersOf<Table> = {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
};

const RECOVERY_CODES = 10;
/** Three groups of five letters carry 75 bits; guesses are counted besides. */
const RECOVERY_CODE_GROUPS = 3;
const SECRET_BYTES = 20;

const BEGIN = `
  insert into second_factors as known (user_id, sealed) values ($1, $2)
  on conflict (user_id) do update set sealed = excluded.sealed, used_step = 0, created_at = now()
    where known.confirmed_at is null`;

const PENDING = `
  select sealed from second_factors where user_id = $1 and confirmed_at is null for update`;

const CONFIRM = `
  update second_factors set confirmed_at = now(), used_step = $2 where user_id = $1`;

export const REMOVE_SECOND_FACTOR = `
  with codes as (delete from recovery_codes where user_id = $1)
  delete from second_factors where user_id = $1`;

const INSERT_CODES = `
  insert into recovery_codes (user_id, digest) select $1, unnest($2::bytea[])`;

async function refusePassword(
  context: AdminContext,
  userId: string,
  password: string,
): Promise<Refusal | undefined> {
  const tooMany = await countAttempt(context, 'login', userId);
  if (tooMany !== undefined) return tooMany;
  const user = await findUser(context.pool, userId);
  const same = await verifyPassword(user?.passwordHash, password);
  if (typeof same !== 'boolean') return same;
  if (!same) {
    return refuse('invalid_credentials', 'The password is wrong.', { param: 'password' });
  }
  await forgetAttempts(context, 'login', userId);
  return undefined;
}

async function replaceRecoveryCodes(db: Database, userId: string): Promise<RecoveryCodes> {
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () => newCode(RECOVERY_CODE_GROUPS));
  await db.query('delete from recovery_codes where user_id = $1', [userId]);
  await db.query(INSERT_CODES, [userId, recoveryCodes.map(digestOfCode)]);
  return { recoveryCodes };
}

async function beginSecondFactor(
  call: Call<'beginSecondFactor'>,
): Promise<SecondFactorEnrolment | Refusal> {
  const { context, caller, body } = call;
  const refused = await refusePassword(context, caller.userId, body.password);
  if (refused !== undefined) return refused;
  const secret = new Secret({ size: SECRET_BYTES });
  const begun = await context.pool.query(BEGIN, [
    caller.userId,
    seal(context.secrets, secret.base32),
  ]);
  if (begun.rowCount === 0) {
    return refuse('state_conflict', 'A second factor is set up already. Remove it first.');
  }
  const { siteName } = await readSettings(context.pool);
  const totp = new TOTP({ ...TOTP_PARAMETERS, secret, issuer: siteName, label: caller.email });
  return { secret: secret.base32, uri: totp.toString() };
}

async function confirmSecondFactor(
  call: Call<'confirmSecondFactor'>,
): Answer<'confirmSecondFactor'> {
  const { context, caller, body } = call;
  const tooMany = await countAttempt(context, 'second_factor', caller.userId);
  if (tooMany !== undefined) return tooMany;
  return inTransaction(context.pool, async (client) => {
    const { rows } = await client.query<{ sealed: string }>(PENDING, [caller.userId]);
    const [pending] = rows;
    if (pending === undefined) {
      return refuse('state_conflict', 'There is no enrolment to confirm. Begin one first.');
    }
    const step = stepOfCode(unseal(context.secrets, pending.sealed), body.code, databaseNowMs());
    if (step === undefined) {
      return refuse(
        'second_factor_invalid',
        'The code is wrong. Scan the QR code again and check the clock of your device.',
        { param: 'code' },
      );
    }
    await client.query(CONFIRM, [caller.userId, step]);
    const before = { secondFactor: false };
    const after = { secondFactor: true };
    const change = { kind: 'user', id: caller.userId, before, after };
    return {
      view: await replaceRecoveryCodes(client, caller.userId),
      audit: await auditOwn(client, call, change),
    };
  });
}

async function refuseProof(
  call: Call<'removeSecondFactor' | 'renewRecoveryCodes'>,
): Promise<Refusal | undefined> {
  const { context, caller, body } = call;
  const user = await findUser(context.pool, caller.userId);
  if (user?.secondFactor !== true) {
    return refuse('state_conflict', 'No second factor is set up.');
  }
  return (
    (await refusePassword(context, caller.userId, body.password)) ??
    (await checkSecondFactor(context, caller.userId, body.code))
  );
}

async function removeSecondFactor(call: Call<'removeSecondFactor'>): Answer<'removeSecondFactor'> {
  const refused = await refuseProof(call);
  if (refused !== undefined) return refused;
  const { userId } = call.caller;
  return inTransaction(call.context.pool, async (client) => {
    await client.query(REMOVE_SECOND_FACTOR, [userId]);
    const before = { secondFactor: true };
    const after = { secondFactor: false };
    const change = { kind: 'user', id: userId, before, after };
    return { view: undefined, audit: await auditOwn(client, call, change) };
  });
}

async function renewRecoveryCodes(call: Call<'renewRecoveryCodes'>): Answer<'renewRecoveryCodes'> {
  const refused = await refuseProof(call);
  if (refused !== undefined) return refused;
  const { userId } = call.caller;
  return inTransaction(call.context.pool, async (client) => {
    const change = { kind: 'user', id: userId, before: null, after: null };
    return {
      view: await replaceRecoveryCodes(client, userId),
      audit: await auditOwn(client, call, change),
    };
  });
}
