import type pg from 'pg';
import {
  USAGE_DAYS_MAX,
  USAGE_HOUR_DAYS_MAX,
  type UsageDayAdminQuery,
  type UsageDayList,
  type UsageDayView,
  type UsageSummary,
} from '@weir/shared/watch/usage';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { decimalFromSum } from '../api/amount.ts';
import { inTransaction, isTimedOut, onlyRow, type Database } from '../api/transaction.ts';
import {
  chartStatement,
  SUMS_AS_TEXT,
  type ChartQuery,
  type ChartStatement,
  type DayRange,
} from './chart-statement.ts';
import { needsRecords, recordChartStatement } from './record-chart.ts';
import { keyOfMember, type UsageScope } from './whose-usage.ts';

const DAYS_DEFAULT = 30;
/** Somebody waits for it, and others need the database. */
const RECORDS_TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;

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

function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The days that are asked for; by default the last 30. */
function readRange(query: UsageDayAdminQuery): DayRange | Refusal {
  const to = query.to ?? dayText(databaseNowMs());
  const from = query.from ?? dayText(Date.parse(to) - (DAYS_DEFAULT - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) {
    return refuse('invalid_value', `The first day must not be after the last, ${to}.`, {
      param: 'from',
    });
  }
  const daysMax = query.per === 'hour' ? USAGE_HOUR_DAYS_MAX : USAGE_DAYS_MAX;
  if (days <= daysMax) return { from, to };
  return refuse(
    'invalid_value',
    `These are ${String(days)} days. Choose at most ${String(daysMax)} days.`,
    { param: 'from' },
  );
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
export async function readUsageDays(
  db: pg.Pool,
  query: ChartQuery,
): Promise<UsageDayList | Refusal> {
  const range = readRange(query);
  if ('refused' in range) return range;
  if (needsRecords(query)) return readRecordChart(db, recordChartStatement(query, range));
  const { text, values } = chartStatement(query, range);
  const { rows } = await db.query<DayRow>(text, values);
  return { data: rows.map(dayView) };
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
