import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { networkOf } from '../../platform/network/address.ts';
import { countAttempt, takeAttemptsBack } from '../api/callers/attempts.ts';
import type { Call } from '../api/call.ts';
import { audit } from '../audit/audit-log.ts';
import { findDeviceLogin, type DeviceLoginRow } from './device-login-row.ts';

export type DeviceLoginCall = Call<'lookUpDeviceLogin' | 'allowDeviceLogin' | 'denyDeviceLogin'>;

/** The reason why a code was refused, in its audit entry. */
type Reason = 'unknown_code' | 'expired' | 'answered_before';

const REFUSALS: Readonly<Record<Reason, Refusal>> = {
  unknown_code: refuse(
    'code_unknown',
    'There is no login with this code. Compare it with the one that the tool shows, or start the login again.',
    { param: 'userCode' },
  ),
  expired: refuse('code_expired', 'This code has expired. Start the login again in the tool.', {
    param: 'userCode',
  }),
  answered_before: refuse(
    'state_conflict',
    'This login was answered before, and a code works once. Start the login again in the tool.',
    { param: 'userCode' },
  ),
};

/** Refuses a login that waits for no answer. */
export function refuseAnswered(row: DeviceLoginRow | undefined): Refusal | undefined {
  const reason = reasonOf(row);
  return reason === undefined ? undefined : REFUSALS[reason];
}

function reasonOf(row: DeviceLoginRow | undefined): Reason | undefined {
  if (row === undefined) return 'unknown_code';
  if (row.status !== 'pending') return 'answered_before';
  return row.isExpired ? 'expired' : undefined;
}

/**
 * Does `work` with a code unless too many codes were guessed, by this user or from this network.
 * Codes that are right do not count: people behind one address may log in at the same time. What is
 * refused is in the audit log, in another transaction than the one that was rolled back.
 */
export async function withCode<Result extends object>(
  call: DeviceLoginCall,
  work: () => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const { context, caller, address } = call;
  const subjects = [caller.userId, networkOf(address)];
  for (const subject of subjects) {
    // One after the other: what is refused to the user does not count for the network.
    const tooMany = await countAttempt(context, 'device_code', subject);
    if (tooMany !== undefined) return tooMany;
  }
  const result = await work();
  const isRefused = 'refused' in result;
  const row = await findDeviceLogin(context.pool, context.secrets, { typed: call.body.userCode });
  if (row !== undefined) await takeAttemptsBack(context, 'device_code', subjects);
  if (isRefused) await noteRefused(call, row);
  return result;
}

async function noteRefused(call: DeviceLoginCall, row: DeviceLoginRow | undefined): Promise<void> {
  const reason = reasonOf(row);
  if (reason === undefined) return;
  const id = row?.id ?? 'unknown';
  const change = { kind: 'device_login', id, before: null, after: { refused: reason } };
  await audit(call.context.pool, call, change);
}
