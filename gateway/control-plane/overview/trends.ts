import { ACTIVITY_HOURS } from '@weir/shared/watch/activity';
import type { MoneyTrend, Trend } from '@weir/shared/watch/trends';
import { decimalFromSum } from '../api/amount.ts';
import type { Database } from '../api/transaction.ts';
import { pointsStatement } from '../traffic/traffic-statement.ts';
import { addSums, NO_SUMS, sumsView, type SumsRow } from '../traffic/traffic-sums.ts';
import { keyOfMember, type UsageScope } from '../usage/whose-usage.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const PERCENT = 100;
const NANO = 1e9;
const HUNDREDTHS = 100;

/** The latest 24 hours, the running one included, and the same of the week before. */
export interface TrendSpan {
  readonly from: Date;
  /** The end of the running hour. */
  readonly to: Date;
  readonly beforeFrom: Date;
  readonly beforeTo: Date;
  /** The part of the running hour that is over, 0 to 1. */
  readonly share: number;
}

export function trendSpan(nowMs: number): TrendSpan {
  const hour = Math.floor(nowMs / HOUR_MS);
  const toMs = (hour + 1) * HOUR_MS;
  const fromMs = toMs - ACTIVITY_HOURS * HOUR_MS;
  return {
    from: new Date(fromMs),
    to: new Date(toMs),
    beforeFrom: new Date(fromMs - WEEK_MS),
    beforeTo: new Date(toMs - WEEK_MS),
    share: nowMs / HOUR_MS - hour,
  };
}

/** The place of a time among the hours that begin at `from`. */
export function hourOf(at: Date, from: Date): number {
  return Math.floor((at.getTime() - from.getTime()) / HOUR_MS);
}

async function readHours(
  db: Database,
  query: UsageScope,
  { from, to }: Pick<TrendSpan, 'from' | 'to'>,
): Promise<SumsRow[]> {
  const { text, values } = pointsStatement(query, { step: 'hour', from, to });
  const { rows } = await db.query<SumsRow & { readonly startsAt: Date }>(text, values);
  const hours = new Array<SumsRow>(ACTIVITY_HOURS).fill(NO_SUMS);
  for (const row of rows) hours[hourOf(row.startsAt, from)] = row;
  return hours;
}

/** The part of sums that is expected of a part of their hour. */
function scale(sums: SumsRow, share: number): SumsRow {
  const part = (count: number) => count * share;
  return {
    requests: part(sums.requests),
    failed: part(sums.failed),
    failedAttempts: part(sums.failedAttempts),
    inputTokens: part(sums.inputTokens),
    outputTokens: part(sums.outputTokens),
    costNanoUsd: String(Math.round(Number(sums.costNanoUsd) * share)),
    streamedTokens: part(sums.streamedTokens),
    streamedMs: part(sums.streamedMs),
    firstBytes: sums.firstBytes.map(part),
    durations: sums.durations.map(part),
  };
}

/**
 * Cuts the last hour of the week before to the part of the running hour that is over: else a full
 * hour would be compared with minutes.
 */
export function scaleLast(hours: readonly SumsRow[], share: number): SumsRow[] {
  return hours.map((sums, index) => (index === hours.length - 1 ? scale(sums, share) : sums));
}

function errorPercent({ requests, failed }: SumsRow): number | null {
  return requests === 0 ? null : (failed * PERCENT) / requests;
}

const round = (value: number | null): number | null =>
  value === null ? null : Math.round(value * HUNDREDTHS) / HUNDREDTHS;

/** Figures of the hours of two spans; without the earlier span there is nothing to compare with. */
export function trafficTrends(hours: readonly SumsRow[], before: readonly SumsRow[] | null) {
  const total = hours.reduce(addSums, NO_SUMS);
  const earlier = before?.reduce(addSums, NO_SUMS);
  const trend = (figure: (sums: SumsRow) => number | null): Trend => ({
    value: round(figure(total)),
    weekBefore: earlier === undefined ? null : round(figure(earlier)),
    points: hours.map((sums) => round(figure(sums))),
  });
  const spend: MoneyTrend = {
    value: decimalFromSum(total.costNanoUsd),
    weekBefore: earlier === undefined ? null : decimalFromSum(earlier.costNanoUsd),
    points: hours.map(({ costNanoUsd }) => Number(costNanoUsd) / NANO),
  };
  return {
    requests: trend(({ requests }) => requests),
    failed: trend(({ failed }) => failed),
    errorPercent: trend(errorPercent),
    firstByteMsP50: trend((sums) => sumsView(sums).firstByteMsP50),
    streamTokensPerSecond: trend((sums) => sumsView(sums).streamTokensPerSecond),
    spend,
  };
}

/** True if a span is covered: an earlier sum is kept. Otherwise a part would pass for the whole. */
const HAS_SUMS = `select exists (
  select from request_sums where grain = 'hour' and starts_at <= $1) as has`;
const HAS_ACCOUNT_SUMS = `select exists (
  select from request_account_sums
  where account_id = $2 and grain = 'hour' and starts_at <= $1) as has`;

const HAS_KEY_SUMS = `select exists (
  select from request_key_sums
  where ${keyOfMember('key_id', '$2')} and grain = 'hour' and starts_at <= $1) as has`;

async function hasSums(
  db: Database,
  at: Date,
  { accountId, ownMemberId }: UsageScope,
): Promise<boolean> {
  const ofAccount = accountId === undefined ? HAS_SUMS : HAS_ACCOUNT_SUMS;
  const text = ownMemberId === undefined ? ofAccount : HAS_KEY_SUMS;
  const id = ownMemberId ?? accountId;
  const { rows } = await db.query<{ has: boolean }>(text, id === undefined ? [at] : [at, id]);
  return rows[0]?.has === true;
}

/** The figures of everyone's requests, or of those of one account or member. */
export async function readTrafficTrends(db: Database, span: TrendSpan, scope: UsageScope = {}) {
  const hours = await readHours(db, scope, span);
  const earlier = { from: span.beforeFrom, to: span.beforeTo };
  const hasWeekBefore = await hasSums(db, span.beforeFrom, scope);
  const before = hasWeekBefore ? scaleLast(await readHours(db, scope, earlier), span.share) : null;
  return { hasWeekBefore, trends: trafficTrends(hours, before) };
}
