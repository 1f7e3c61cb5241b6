import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { Conditions } from './conditions.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor, UUID_SHAPE } from './cursor.ts';
import { refuseBackwards, type Period } from './period.ts';

/** The last row that was seen: microseconds since 1970, and the request id. */
export interface RowPosition {
  readonly atUs: string;
  readonly requestId: string;
}

const FROM_US = `timestamptz '1970-01-01 00:00:00+00' + %s::bigint * interval '1 microsecond'`;

/** Adds the period of rows `r`. */
export function addPeriod(conditions: Conditions, { from, to }: Period): void {
  if (from !== undefined) conditions.add(`r.created_at >= ${conditions.place(from)}`);
  if (to !== undefined) conditions.add(`r.created_at < ${conditions.place(to)}`);
}

/** Adds what comes after a position when rows `r` are read by time, newest or oldest first. */
export function addTimePosition(
  conditions: Conditions,
  after: RowPosition,
  direction: 'asc' | 'desc' = 'desc',
): void {
  const sign = direction === 'desc' ? '<' : '>';
  const at = FROM_US.replace('%s', conditions.place(after.atUs));
  // The first condition says nothing new; partitions before the position are left out by it.
  conditions.add(`r.created_at ${sign}= ${at}`);
  conditions.add(
    `(r.created_at, r.request_id) ${sign} (${at}, ${conditions.place(after.requestId)}::uuid)`,
  );
}

/** Adds the period, and what comes after a position when rows `r` are read newest first. */
export function addPosition(
  conditions: Conditions,
  period: Period,
  after: RowPosition | null,
): void {
  addPeriod(conditions, period);
  if (after !== null) addTimePosition(conditions, after);
}

interface PageQuery extends Period {
  readonly cursor?: string;
  readonly limit?: number;
}

/**
 * Reads one page of rows newest first. `find` reads at most `limit` rows after a position; it is
 * asked for one row more than the page has, which says whether there is a next one.
 */
export async function readNewestFirst<Row extends RowPosition, View>(
  query: PageQuery,
  find: (page: { readonly after: RowPosition | null; readonly limit: number }) => Promise<Row[]>,
  view: (row: Row) => View,
): Promise<{ data: View[]; nextCursor: string | null } | Refusal> {
  const backwards = refuseBackwards(query);
  if (backwards !== undefined) return backwards;
  const key = readCursor(query.cursor, [INTEGER_SHAPE, UUID_SHAPE]);
  if (key !== undefined && 'refused' in key) return key;
  const limit = pageLimit(query.limit === undefined ? {} : { limit: query.limit });
  const [atUs = '', requestId = ''] = key ?? [];
  const after = key === undefined ? null : { atUs, requestId };
  const rows = await find({ after, limit: limit + 1 });
  return pageOf(rows, { limit, view, sortKey: (row) => [row.atUs, row.requestId] });
}
