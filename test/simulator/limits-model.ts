import type {
  Budget,
  BudgetRefusal,
  HoldRefusal,
  HoldRequest,
  Payer,
} from '../../gateway/ledger/ledger.ts';
import type { AccountModel, Meter, OpenHold, SpendModel } from './account-model.ts';
import { periodEndOf } from './calendar.ts';

const MINUTE_MS = 60_000n;
const UNLIMITED = 2n ** 53n - 1n;

/** The scopes of a payer that count what it spends, each with its budgets. */
export function scopesOf({ account, team, member }: Payer): [name: string, budgets: Budget[]][] {
  const scopes: [string, Budget[]][] = [['account', [...(account.budgets ?? [])]]];
  if (team) scopes.push([`team:${String(team.id)}`, [...team.budgets]]);
  if (member) scopes.push([`member:${String(member.id)}`, [...member.budgets]]);
  return scopes;
}

interface Room {
  readonly room: bigint;
  /** The first level, from the account to the key, that leaves less than the minimum. */
  readonly refusal: BudgetRefusal | undefined;
  /** The ms until all such levels begin again; null: never. */
  readonly waitMs: number | null;
}

/** Returns what the budgets of all levels leave. */
export function budgetRoom(
  account: AccountModel,
  payer: Payer,
  minimum: bigint,
  nowMs: number,
): Room {
  const levels: [BudgetRefusal, readonly Budget[], SpendModel][] = scopesOf(payer).map(
    ([name, budgets]) => {
      const level = name.split(':')[0] as 'account' | 'team' | 'member';
      return [`${level}_budget_exceeded`, budgets, account.scope(name)];
    },
  );
  levels.push(['key_budget_exceeded', payer.key.budgets, account.key(payer.key.id)]);
  let room = UNLIMITED;
  let waitMs: number | null = 0;
  let refusal: BudgetRefusal | undefined;
  for (const [code, budgets, model] of levels) {
    for (const { period, limitNanoUsd } of budgets) {
      const limit = BigInt(limitNanoUsd);
      const left = limit - model.spentIn(period, nowMs, account.zone) - model.held;
      const positive = left > 0n ? left : 0n;
      if (positive < room) room = positive;
      if (positive >= minimum) continue;
      refusal ??= code;
      if (period === 'total' || limit < minimum || waitMs === null) waitMs = null;
      else waitMs = Math.max(waitMs, periodEndOf(period, nowMs, account.zone) - nowMs);
    }
  }
  return { room, refusal, waitMs };
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
