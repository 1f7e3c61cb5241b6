import { ACTIVITY_HOURS } from '@weir/shared/watch/activity';
import type { Overview } from '@weir/shared/watch/overview';
import type { MoneyTrend, Trend } from '@weir/shared/watch/trends';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { decimalFromSum } from '../api/amount.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import { marginStatement } from '../margins/margin-statement.ts';
import { addSums, NO_SUMS, sumsView, type SumsRow } from '../margins/margin-sums.ts';
import { hourOf, readTrafficTrends, trendSpan, type TrendSpan } from './trends.ts';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const NANO = 1e9;

/**
 * Credits are the amounts that came in less those that went out again. Plans bought and usage that
 * was recovered are spent, not taken back.
 */
export const IS_CREDIT = `kind not in ('plan_purchase', 'recovered_usage')`;

const CREDITS = `
  select date_bin('1 hour', created_at, 'epoch') as at, sum(amount_nano_usd)::text as amount
  from credits where created_at >= $1 and created_at < $2 and ${IS_CREDIT} group by 1`;
const CREDITS_BEFORE = `
  select coalesce(sum(amount_nano_usd), 0)::text as amount
  from credits where created_at >= $1 and created_at < $2 and ${IS_CREDIT}`;

async function readCredits(
  db: Database,
  { from, to, beforeFrom, hasWeekBefore, nowMs }: TrendSpan & Kept,
): Promise<MoneyTrend> {
  const { rows } = await db.query<{ at: Date; amount: string }>(CREDITS, [from, to]);
  const points = new Array<number>(ACTIVITY_HOURS).fill(0);
  for (const { at, amount } of rows) points[hourOf(at, from)] = Number(amount) / NANO;
  const total = rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  // Credits have exact times, so that no part of an hour has to be estimated.
  const weekAgo = new Date(nowMs - WEEK_DAYS * DAY_MS);
  const before = await db.query<{ amount: string }>(CREDITS_BEFORE, [beforeFrom, weekAgo]);
  return {
    value: decimalFromSum(String(total)),
    weekBefore: hasWeekBefore ? decimalFromSum(onlyRow(before.rows).amount) : null,
    points,
  };
}

const ACTIVE_HOURS = `
  select starts_at as at, count(distinct account_id)::integer as accounts
  from request_account_sums where grain = 'hour' and starts_at >= $1 and starts_at < $2
  group by 1`;
const ACTIVE = `
  select count(distinct account_id)::integer as accounts,
    count(distinct account_id) filter (where starts_at < $3)::integer as until
  from request_account_sums where grain = 'hour' and starts_at >= $1 and starts_at < $2`;

async function readActiveAccounts(
  db: Database,
  { from, to, beforeFrom, beforeTo, share, hasWeekBefore }: TrendSpan & Kept,
): Promise<Trend> {
  const hours = await db.query<{ at: Date; accounts: number }>(ACTIVE_HOURS, [from, to]);
  const points = new Array<number>(ACTIVITY_HOURS).fill(0);
  for (const { at, accounts } of hours.rows) points[hourOf(at, from)] = accounts;
  const count = async (span: readonly [Date, Date]) => {
    const lastHour = new Date(span[1].getTime() - DAY_MS / ACTIVITY_HOURS);
    const { rows } = await db.query<{ accounts: number; until: number }>(ACTIVE, [
      ...span,
      lastHour,
    ]);
    return onlyRow(rows);
  };
  const now = await count([from, to]);
  const before = hasWeekBefore ? await count([beforeFrom, beforeTo]) : null;
  return {
    value: now.accounts,
    // As with the sums: the last hour counts for the part of it that is over.
    weekBefore:
      before === null ? null : Math.round(before.until + (before.accounts - before.until) * share),
    points,
  };
}

type MarginDay = SumsRow & { readonly of: string | null };

/** Percentages of seven days: costs are summed by day, and a part of a day changes little. */
async function readMargin(db: Database, nowMs: number): Promise<Trend> {
  const day = (daysAgo: number) => new Date(nowMs - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const days = Array.from({ length: 2 * WEEK_DAYS }, (_day, ago) => day(ago)).toReversed();
  const range = { from: day(2 * WEEK_DAYS - 1), to: day(0) };
  const { text, values } = marginStatement({}, range, { by: 'day', rowsMax: days.length });
  const { rows } = await db.query<MarginDay>(text, values);
  const byDay = new Map(rows.map((row) => [row.of, row]));
  const percentOf = (span: readonly string[]) =>
    sumsView(span.map((of) => byDay.get(of) ?? NO_SUMS).reduce<SumsRow>(addSums, NO_SUMS))
      .marginPercent;
  const week = days.slice(WEEK_DAYS);
  return {
    value: percentOf(week),
    weekBefore: percentOf(days.slice(0, WEEK_DAYS)),
    points: week.map((of) => percentOf([of])),
  };
}

interface Kept {
  readonly hasWeekBefore: boolean;
  readonly nowMs: number;
}

/** The figures of the latest 24 hours, each with those of the week before, from sums alone. */
export async function readTrends(db: Database): Promise<Overview['trends']> {
  const nowMs = databaseNowMs();
  const span = trendSpan(nowMs);
  const { hasWeekBefore, trends } = await readTrafficTrends(db, span);
  const kept = { ...span, hasWeekBefore, nowMs };
  return {
    from: span.from.toISOString(),
    hasWeekBefore,
    ...trends,
    marginPercent: await readMargin(db, nowMs),
    credits: await readCredits(db, kept),
    activeAccounts: await readActiveAccounts(db, kept),
  };
}
