import {
  BASIS_METER_IDS,
  METER_IDS,
  METERS,
  UNITS,
  type MeterId,
} from '@weir/shared/prices/meters';
import { csvHeader } from '@weir/shared/csv';
import { csvCellSql } from '../api/lists/csv.ts';
import type { Database } from '../api/transaction.ts';
import type { RowPosition } from '../api/lists/newest-first.ts';
import { recordConditions, type RecordFilter } from './find-records.ts';

/**
 * Nanodollars as decimal USD without trailing zeros: decimalFromNanoUsd in the words of PostgreSQL.
 */
function usdSql(column: string): string {
  return `trim_scale(${column} * 0.000000001)`;
}

function booleanSql(column: string): string {
  return `case when ${column} then 'true' else 'false' end`;
}

/** Meters whose columns are the last ones: files of former versions have none of them. */
const LATER_METERS: readonly MeterId[] = BASIS_METER_IDS;

type Column = readonly [name: string, cell: string];

/** Each column's cell, of the record `r`. What is null is an empty cell. */
const COLUMNS: readonly Column[] = [
  ['request_id', 'r.request_id'],
  ['created_at', `to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`],
  ['account_id', 'r.account_id'],
  ['key_id', 'r.key_id'],
  ['key_name', `(select ${csvCellSql('name')} from keys where id = r.key_id)`],
  [
    'group',
    `coalesce((select ${csvCellSql('name')} from groups where id = r.group_id), r.group_id::text)`,
  ],
  ['model', csvCellSql('r.model')],
  ['status', 'usage_status(r.status)'],
  ['http_status', 'r.http_status'],
  ['stream', booleanSql('r.stream')],
  ['input_tokens', 'r.input_tokens'],
  ['cached_input_tokens', 'r.cached_input_tokens'],
  ['cache_write_tokens', 'r.cache_write_tokens'],
  ['output_tokens', 'r.output_tokens'],
  ['reasoning_tokens', 'r.reasoning_tokens'],
  ['input_usd_per_million', usdSql('r.input_nano_usd')],
  ['cached_input_usd_per_million', usdSql('r.cached_input_nano_usd')],
  ['cache_write_usd_per_million', usdSql('r.cache_write_nano_usd')],
  ['output_usd_per_million', usdSql('r.output_nano_usd')],
  ['usd_per_call', usdSql('r.per_call_nano_usd')],
  ['multiplier', 'trim_scale(r.multiplier_ppm * 0.000001)'],
  ['cost_usd', usdSql('r.cost_nano_usd')],
  ['from_balance_usd', usdSql('r.balance_nano_usd')],
  ['from_subscription_usd', usdSql('r.subscription_nano_usd')],
  ['uncollected_usd', usdSql('r.uncollected_nano_usd')],
  ['estimated', booleanSql('r.estimated')],
  ['capped', booleanSql('r.capped')],
  ['attempts', 'r.attempts'],
  ['latency_ms', 'r.latency_ms'],
  ['first_byte_ms', 'r.first_byte_ms'],
  ...METER_IDS.filter((id) => !LATER_METERS.includes(id)).flatMap(meterColumns),
  // Behind the others, so that files of former versions have the same columns before them.
  ['protocol', 'r.protocol'],
  ['upstream_protocol', 'r.upstream_protocol'],
  ['tier', csvCellSql('r.tier')],
  ['member_id', 'r.member_id'],
  [
    'member',
    `(select ${csvCellSql('u.email')} from members m join users u on u.id = m.user_id where m.id = r.member_id)`,
  ],
  ['team_id', 'r.team_id'],
  ['team', `(select ${csvCellSql('name')} from teams where id = r.team_id)`],
  ...LATER_METERS.flatMap(meterColumns),
  ['variant', csvCellSql(`(r.extra_meters ->> 'variant')`)],
];

/**
 * Returns the columns of a meter: its count, 0 if it has none, and the price at which it was
 * billed.
 */
function meterColumns(meter: MeterId): readonly Column[] {
  const { part, unit } = METERS[meter];
  const count = `coalesce(r.extra_meters ->> '${meter}', '0')`;
  const price = usdSql(`(r.extra_prices ->> '${meter}')::numeric`);
  const { columns } = UNITS[unit];
  return [
    [`${part}_${columns.count}`, count],
    [`${part}_${columns.price}`, price],
  ];
}

/**
 * Columns for operators only, by the column that they follow: the request's owner and its channel.
 */
const ADMIN_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  account_id: [['account', `(select ${csvCellSql('name')} from accounts where id = r.account_id)`]],
  group: [
    ['channel_id', 'r.channel_id'],
    ['channel', `(select ${csvCellSql('name')} from channels where id = r.channel_id)`],
  ],
};

/** The content of an export's lines. */
export interface CsvForm {
  readonly header: string;
  readonly line: string;
}

/** A function of PostgreSQL takes 100 arguments, and each cell has its comma. */
const CELLS_PER_CALL = 40;

/** The cells of a line with commas between them; null is an empty cell. */
function concatenated(cells: readonly string[]): string {
  const calls: string[] = [];
  for (let from = 0; from < cells.length; from += CELLS_PER_CALL) {
    calls.push(`concat(${cells.slice(from, from + CELLS_PER_CALL).join(`, ',', `)})`);
  }
  return calls.join(` || ',' || `);
}

function formOf(columns: readonly Column[]): CsvForm {
  return {
    header: csvHeader(columns.map(([name]) => name)),
    line: `${concatenated(columns.map(([, cell]) => cell))} || E'\\r\\n'`,
  };
}

export const OWN_CSV = formOf(COLUMNS);
export const ADMIN_CSV = formOf(
  COLUMNS.flatMap((column) => [column, ...(ADMIN_COLUMNS[column[0]] ?? [])]),
);

export interface CsvPage {
  readonly lines: string;
  /** The beginning of the next page; null after the last. */
  readonly next: RowPosition | null;
}

interface PageRow extends RowPosition {
  readonly lines: string;
  readonly rows: number;
}

/**
 * The lines of up to `limit` records after a position, newest first, written by PostgreSQL as one
 * text: rows that became objects here would be garbage many times the size of the file, and how
 * much of it V8 keeps cannot be known.
 */
export async function readCsvPage(
  db: Database,
  filter: RecordFilter,
  options: {
    readonly form: CsvForm;
    readonly after: RowPosition | null;
    readonly limit: number;
  },
): Promise<CsvPage> {
  const conditions = recordConditions(filter, options.after);
  const limit = conditions.place(options.limit);
  const { rows } = await db.query<PageRow>(
    `with page as materialized (
       select r.* from usage_records r ${conditions.sql}
       order by r.created_at desc, r.request_id desc limit ${limit}
     ), last as (select created_at, request_id from page order by created_at, request_id limit 1)
     select (select string_agg(${options.form.line}, '' order by r.created_at desc, r.request_id desc) from page r) as lines,
       (select count(*) from page) as rows, last.request_id as "requestId",
       (extract(epoch from last.created_at) * 1000000)::bigint::text as "atUs"
     from last`,
    conditions.values,
  );
  const [page] = rows;
  if (page === undefined) return { lines: '', next: null };
  const { lines, atUs, requestId } = page;
  return { lines, next: page.rows < options.limit ? null : { atUs, requestId } };
}
