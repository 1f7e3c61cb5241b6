import {
  USAGE_DAYS_MAX,
  type UsageDayAdminQuery,
  type UsageDayList,
  type UsageDayView,
  type UsageSummary,
} from '@weir/shared/usage';
import { refuse, type Refusal } from '../../errors/refusal.ts';
import { decimalFromSum } from '../api/amount.ts';
import { Conditions } from '../api/conditions.ts';
import { onlyRow, type Database } from '../api/transaction.ts';

const DAYS_DEFAULT = 30;
const DAY_MS = 86_400_000;
/** A chart with more lines cannot be read; the rest is one line. */
const SPLIT_MAX = 20;

type Dimension = NonNullable<UsageDayAdminQuery['by']>;

/** The column each dimension splits by, and where its names are. From code, never from a request. */
const SPLITS: Readonly<Record<Dimension, { readonly column: string; readonly label: string }>> = {
  none: { column: 'null::text', label: 'null::text' },
  model: { column: 'd.model', label: 'top.of' },
  key: { column: 'd.key_id::text', label: '(select name from keys where id = top.of::uuid)' },
  group: { column: 'd.group_id::text', label: '(select name from groups where id = top.of::uuid)' },
  account: {
    column: 'd.account_id::text',
    label: '(select name from accounts where id = top.of::uuid)',
  },
};

/**
 * The smallest book that can tell: days that are over are summed up by model and group, by key, and by account and
 * model (0005_usage_sums.sql, 0006_usage_account_sums.sql). Only who asks about more at once reads the daily book.
 */
function bookOf(query: UsageDayAdminQuery, by: Dimension): string {
  const aboutKeys = by === 'key' || query.keyId !== undefined;
  const aboutAccounts = aboutKeys || by === 'account' || query.accountId !== undefined;
  const aboutModels = by === 'model' || query.model !== undefined;
  if (!aboutAccounts) return 'usage_by_model';
  if (by === 'group') return 'usage_daily';
  if (!aboutModels) return 'usage_by_key';
  return aboutKeys ? 'usage_daily' : 'usage_by_account';
}

const SUMS = `
  sum(d.requests)::text as requests, sum(d.input_tokens)::text as "inputTokens",
  sum(d.cached_input_tokens)::text as "cachedInputTokens", sum(d.output_tokens)::text as "outputTokens",
  sum(d.cost_nano_usd)::text as "costNanoUsd"`;

const SUMMED = [
  'requests',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'cost_nano_usd',
] as const;

interface SumsRow {
  readonly requests: string | null;
  readonly inputTokens: string | null;
  readonly cachedInputTokens: string | null;
  readonly outputTokens: string | null;
  readonly costNanoUsd: string | null;
}

type DayRow = SumsRow & {
  readonly day: string;
  readonly of: string | null;
  readonly label: string | null;
};

interface DayRange {
  /** Inclusive, `2026-01-31`. */
  readonly from: string;
  readonly to: string;
}

function conditionsOf(query: UsageDayAdminQuery, range: DayRange): Conditions {
  const conditions = new Conditions();
  conditions.add(`d.day between ${conditions.place(range.from)} and ${conditions.place(range.to)}`);
  conditions.equal('d.account_id', query.accountId);
  conditions.equal('d.model', query.model);
  if (query.keyId === undefined) return conditions;
  const key = conditions.place(query.keyId);
  // Both books of keys are found by account, whose key it is.
  conditions.add(
    `d.key_id = ${key} and d.account_id = (select account_id from keys where id = ${key})`,
  );
  return conditions;
}

/**
 * What the book holds, per day and part. It is read once and summed, because both the dearest parts and the days
 * are found in it; keys are so many that their sums
 * would be as long as the book, which is then better read twice.
 */
function cellsOf(book: string, by: Dimension, where: string): string {
  const { column } = SPLITS[by];
  if (by === 'key') return `not materialized (select d.*, ${column} as of from ${book} d ${where})`;
  const sums = SUMMED.map((name) => `sum(d.${name}) as ${name}`).join(', ');
  return `materialized (select d.day, ${column} as of, ${sums} from ${book} d ${where} group by 1, 2)`;
}

function statement(book: string, by: Dimension, where: string): string {
  return `
    with cells as ${cellsOf(book, by, where)},
    dearest as materialized (
      select of from cells group by of order by sum(cost_nano_usd) desc, of limit ${String(SPLIT_MAX)}
    ), days as (
      select d.day, dearest.of, ${SUMS}
      from cells d left join dearest on dearest.of = d.of group by d.day, dearest.of
    )
    select to_char(top.day, 'YYYY-MM-DD') as day, top.of, ${SPLITS[by].label} as label, requests, "inputTokens",
      "cachedInputTokens", "outputTokens", "costNanoUsd"
    from days top order by top.day, top.of is null, "costNanoUsd"::numeric desc`;
}

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
  return { day: row.day, of: row.of, label: row.label, ...sumsView(row) };
}

function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The days that are asked for; the last 30 unless told otherwise. */
function readRange(query: UsageDayAdminQuery): DayRange | Refusal {
  const to = query.to ?? dayText(Date.now());
  const from = query.from ?? dayText(Date.parse(to) - (DAYS_DEFAULT - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days >= 1 && days <= USAGE_DAYS_MAX) return { from, to };
  return refuse('invalid_value', `Choose from 1 to ${String(USAGE_DAYS_MAX)} days.`, {
    param: 'from',
  });
}

/** Sums per day: the records themselves are never read for it. */
export async function readUsageDays(
  db: Database,
  query: UsageDayAdminQuery,
): Promise<UsageDayList | Refusal> {
  const range = readRange(query);
  if ('refused' in range) return range;
  const by = query.by ?? 'none';
  const conditions = conditionsOf(query, range);
  const text = statement(bookOf(query, by), by, conditions.sql);
  const { rows } = await db.query<DayRow>(text, conditions.values);
  return { data: rows.map(dayView) };
}

const SUMMARY = `
  select ${SUMS} from usage_by_key d where d.account_id = $1 and d.day between $2 and $3`;

async function readSums(db: Database, accountId: string, range: DayRange) {
  const { rows } = await db.query<SumsRow>(SUMMARY, [accountId, range.from, range.to]);
  return sumsView(onlyRow(rows));
}

export async function readUsageSummary(db: Database, accountId: string): Promise<UsageSummary> {
  const today = dayText(Date.now());
  const monthStart = `${today.slice(0, 7)}-01`;
  return {
    today: await readSums(db, accountId, { from: today, to: today }),
    month: await readSums(db, accountId, { from: monthStart, to: today }),
  };
}
