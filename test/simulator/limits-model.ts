import type { HoldRefusal, HoldRequest, KeyTerms } from '../../gateway/ledger/ledger.ts';
import type { AccountModel, KeyModel, Meter, OpenHold } from './account-model.ts';
import { periodOf } from './calendar.ts';

const MINUTE_MS = 60_000n;
const UNLIMITED = 2n ** 53n - 1n;

/**
 * What the key's budgets leave, and how long until those that leave less than `minimum` begin
 * again; null: never.
 */
export function budgetRoom(
  terms: KeyTerms,
  key: KeyModel,
  minimum: bigint,
  nowMs: number,
): { room: bigint; waitMs: number | null } {
  let room = UNLIMITED;
  let waitMs: number | null = 0;
  for (const { period, limitNanoUsd } of terms.budgets) {
    const limit = BigInt(limitNanoUsd);
    const left = limit - key.spentIn(period, nowMs) - key.held;
    const positive = left > 0n ? left : 0n;
    if (positive < room) room = positive;
    if (positive >= minimum) continue;
    const never = period === 'total' || limit < minimum;
    if (never || waitMs === null) waitMs = null;
    else waitMs = Math.max(waitMs, periodOf(period, nowMs)[1] - nowMs);
  }
  return { room, waitMs };
}

/**
 * The level of a meter now: in 60,000ths, it sinks by the limit per minute each millisecond. What
 * was taken under another limit is a minute's worth at most.
 */
function levelOf(meter: Meter, perMinute: number, nowMs: number): bigint {
  const full = BigInt(perMinute) * MINUTE_MS;
  const known = meter.perMinute === perMinute || meter.level < full ? meter.level : full;
  const level = known - BigInt(Math.max(0, nowMs - meter.atMs)) * BigInt(perMinute);
  return level > 0n ? level : 0n;
}

interface Rate {
  readonly code: HoldRefusal;
  readonly meter: Meter;
  readonly count: number;
  readonly perMinute: number | null;
}

function ratesOf(account: AccountModel, { payer, tokens }: HoldRequest): Rate[] {
  const key = account.key(payer.key.id);
  const group = account.group(payer.group.id);
  return [
    { code: 'key_rpm_exceeded', meter: key.requests, count: 1, perMinute: payer.key.rpm },
    { code: 'key_tpm_exceeded', meter: key.tokens, count: tokens, perMinute: payer.key.tpm },
    { code: 'group_rpm_exceeded', meter: group.requests, count: 1, perMinute: payer.group.rpm },
    { code: 'group_tpm_exceeded', meter: group.tokens, count: tokens, perMinute: payer.group.tpm },
  ];
}

/** The first rate that the request does not fit into, and when it will; null: never. */
export function rateRefusal(
  account: AccountModel,
  request: HoldRequest,
  nowMs: number,
): { code: HoldRefusal; waitMs: number | null } | undefined {
  for (const { code, meter, count, perMinute } of ratesOf(account, request)) {
    if (perMinute === null) continue;
    if (count > perMinute) return { code, waitMs: null };
    const full = BigInt(perMinute) * MINUTE_MS;
    const over = levelOf(meter, perMinute, nowMs) + BigInt(count) * MINUTE_MS - full;
    if (over > 0n) {
      const divisor = BigInt(perMinute);
      return { code, waitMs: Number((over + divisor - 1n) / divisor) };
    }
  }
  return undefined;
}

export function setMeter(account: AccountModel, request: HoldRequest, nowMs: number): void {
  for (const { meter, count, perMinute } of ratesOf(account, request)) {
    if (perMinute === null) continue;
    meter.level = levelOf(meter, perMinute, nowMs) + BigInt(count) * MINUTE_MS;
    meter.atMs = nowMs;
    meter.perMinute = perMinute;
  }
}

/** Tokens used in fact instead of those the hold took. */
export function correctMeter(
  account: AccountModel,
  hold: OpenHold,
  tokens: number,
  nowMs: number,
): void {
  const difference = BigInt(tokens - hold.tokens) * MINUTE_MS;
  for (const [meter, perMinute] of [
    [account.key(hold.keyId).tokens, hold.keyTpm],
    [account.group(hold.groupId).tokens, hold.groupTpm],
  ] as const) {
    if (perMinute === null) continue;
    const level = levelOf(meter, perMinute, nowMs) + difference;
    meter.level = level > 0n ? level : 0n;
    meter.atMs = nowMs;
    meter.perMinute = perMinute;
  }
}
