import type pg from 'pg';
import type { UsageDayList, UsageDayView, UsageSummary } from '@weir/shared/watch/usage';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { decimalFromSum } from '../api/amount.ts';
import { inTransaction, isTimedOut, onlyRow, type Database } from '../api/transaction.ts';
import {
  chartStatement,
  SPLIT_MAX,
  SUMS_AS_TEXT,
  type ChartQuery,
  type ChartStatement,
  type DayRange,
  type Split,
} from './chart-statement.ts';
import { dayText, readRange } from './day-range.ts';
import { needsRecords, recordChartStatement } from './record-chart.ts';
import { keyOfMember, type UsageScope } from './whose-usage.ts';

/** Somebody waits for it, and others need the database. */
const RECORDS_TIMEOUT_MS = 10_000;

interface SumsRow {
  readonly requests: string | null;
  readonly inputTokens: string | null;
  readonly cachedInputTokens: string | null;
  readonly outputTokens: string | null;
  readonly costNanoUsd: string | null;
}

type DayRow = SumsRow & {
  readonly day: string;
  readonly hour: number | null;
  readonly of: string | null;
  readonly label: string | null;
};

function sumsView(row: SumsRow): UsageSummary['today'] {
  return {
    requests: Number(row.requests ?? 0),
    inputTokens: Number(row.inputTokens ?? 0),
    cachedInputTokens: Number(row.cachedInputTokens ?? 0),
    outputTokens: Number(row.outputTokens ?? 0),
    costUsd: decimalFromSum(row.costNanoUsd ?? '0'),
  };
}

function dayView(row: DayRow): UsageDayView {
  return { day: row.day, hour: row.hour, of: row.of, label: row.label, ...sumsView(row) };
}

async function readRecordChart(
  pool: pg.Pool,
  { text, values }: ChartStatement,
): Promise<UsageDayList | Refusal> {
  try {
    return await inTransaction(pool, async (client) => {
      await client.query(`set local statement_timeout = ${String(RECORDS_TIMEOUT_MS)}`);
      return { data: (await client.query<DayRow>(text, values)).rows.map(dayView) };
    });
  } catch (error) {
    if (!isTimedOut(error)) throw error;
    return refuse('invalid_value', 'These are too many records to sum up. Choose fewer days.', {
      param: 'from',
    });
  }
}

/** Sums per day; the records themselves are only read for what the sums do not contain. */
export async function readDays(
  pool: pg.Pool,
  query: ChartQuery,
  split: Split,
): Promise<UsageDayList | Refusal> {
  if (needsRecords(query)) return readRecordChart(pool, recordChartStatement(query, split));
  const { text, values } = chartStatement(query, split);
  const { rows } = await pool.query<DayRow>(text, values);
  return { data: rows.map(dayView) };
}

/** The days of a chart. */
export async function readUsageDays(
  pool: pg.Pool,
  query: ChartQuery,
): Promise<UsageDayList | Refusal> {
  const range = readRange(query);
  if ('refused' in range) return range;
  return readDays(pool, query, { range, splitMax: SPLIT_MAX });
}

const SUMMARY = `
  select ${SUMS_AS_TEXT} from usage_by_key d where d.account_id = $1 and d.day between $2 and $3`;
const SUMMARY_OF_MEMBER = `${SUMMARY} and ${keyOfMember('d.key_id', '$4')}`;

async function readSums(db: Database, { accountId, ownMemberId }: UsageScope, range: DayRange) {
  const values = [accountId, range.from, range.to];
  const { rows } = await (ownMemberId === undefined
    ? db.query<SumsRow>(SUMMARY, values)
    : db.query<SumsRow>(SUMMARY_OF_MEMBER, [...values, ownMemberId]));
  return sumsView(onlyRow(rows));
}

export async function readUsageSummary(db: Database, scope: UsageScope): Promise<UsageSummary> {
  const today = dayText(databaseNowMs());
  const monthStart = `${today.slice(0, 7)}-01`;
  return {
    today: await readSums(db, scope, { from: today, to: today }),
    month: await readSums(db, scope, { from: monthStart, to: today }),
  };
}
