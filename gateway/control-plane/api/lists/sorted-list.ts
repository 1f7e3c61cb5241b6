import { BULK_OBJECTS_MAX } from '@weir/shared/api/pages';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { Conditions } from './conditions.ts';
import { pageLimit, pageOf, readCursor, UUID_SHAPE } from './cursor.ts';
import { onlyRow, type Database } from '../transaction.ts';

/** A column by which a list can be sorted. */
export interface SortColumn {
  /**
   * SQL of `from` and `join`, from code; never null, or its rows would be missing from the pages
   * after the first.
   */
  readonly expression: string;
  readonly type: 'text' | 'bigint' | 'uuid';
  /** The form of the value in a cursor. */
  readonly shape: RegExp;
  /** SQL of a join that only this sort needs; it follows `from`. */
  readonly join?: (conditions: Conditions) => string;
}

/** Any text that PostgreSQL can hold. */
export const TEXT_SHAPE = /^[^\0]*$/;

/** The column of rows whose ids are made in the order of time. `expression` is SQL of the id. */
export function byCreation(expression: string): SortColumn {
  return { expression, type: 'uuid', shape: UUID_SHAPE };
}

/** A request for a page. A sort names a column, after `-` for descending. */
interface SortedQuery {
  readonly sort?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** The rows that match a filter, wherever they are asked for: as pages, counted, or in bulk. */
export interface Matching<Filter> {
  /** The table with its alias, and what the conditions of `filter` need beyond it. */
  readonly from: string;
  /** SQL of a row's id. */
  readonly id: string;
  readonly filter: (conditions: Conditions, filter: Filter) => void;
}

/** A list that is sorted by any of its columns. */
export interface SortedList<Filter> extends Matching<Filter> {
  /** The columns of a row, `id` among them. */
  readonly select: string;
  /** The tables of these columns; those of `from` if they need no others. */
  readonly tables?: string;
  readonly columns: Readonly<Record<string, SortColumn>>;
  /** The sort of a query that names none. Ids order rows that are alike. */
  readonly sort: string;
}

interface SortedPage<View> {
  readonly data: View[];
  readonly nextCursor: string | null;
}

/** The sorted value of a row, as a cursor has it. */
interface Sorted {
  readonly sortValue: string;
}

/**
 * Reads one page of a list that is sorted by any of its columns. Rows that are alike are ordered by
 * id in the same direction: one row comparison then continues the list without a gap or a repeat,
 * and an index on both columns serves it both ways. A cursor names its sort and fits no other.
 *
 * The ids of the page are found first. Otherwise PostgreSQL computes the columns that it takes for
 * cheap, subqueries among them, for all rows before it sorts them.
 */
export async function readSorted<
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- It is what the list selects.
  Row extends { readonly id: string },
  Query extends SortedQuery,
  View,
>(
  db: Database,
  list: SortedList<Query>,
  query: Query,
  view: (row: Row) => View,
): Promise<SortedPage<View> | Refusal> {
  const sort = query.sort ?? list.sort;
  const isDescending = sort.startsWith('-');
  const column = list.columns[isDescending ? sort.slice(1) : sort];
  if (column === undefined) throw new Error(`no column to sort by: ${sort}`);
  const key = readCursor(query.cursor, [new RegExp(`^${sort}$`), column.shape, UUID_SHAPE]);
  if (key !== undefined && isRefusal(key)) return key;
  const { expression, type, join } = column;
  const conditions = new Conditions();
  if (key !== undefined) {
    const [, value, id] = key;
    const after = `(${conditions.place(value)}::${type}, ${conditions.place(id)}::uuid)`;
    conditions.add(`(${expression}, ${list.id}) ${isDescending ? '<' : '>'} ${after}`);
  }
  list.filter(conditions, query);
  const limit = pageLimit(query.limit === undefined ? {} : { limit: query.limit });
  const direction = isDescending ? 'desc' : 'asc';
  const joined = join?.(conditions) ?? '';
  const { rows } = await db.query<Row & Sorted>(
    `with page as (
       select ${list.id} as page_id, ${expression} as page_value from ${list.from} ${joined} ${conditions.sql}
       order by ${expression} ${direction}, ${list.id} ${direction} limit ${conditions.place(limit + 1)})
     select ${list.select}, page_value::text as "sortValue"
     from ${list.tables ?? list.from} join page on page_id = ${list.id}
     order by page_value ${direction}, page_id ${direction}`,
    conditions.values,
  );
  return pageOf(rows, { limit, view, sortKey: ({ sortValue, id }) => [sort, sortValue, id] });
}

/**
 * The same with the number of rows that match, on the first page. It is null if there are more than
 * a bulk change may have: an exact count of a very long list would cost more than its page.
 */
export async function readCounted<
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- It is what the list selects.
  Row extends { readonly id: string },
  Query extends SortedQuery,
  View,
>(
  db: Database,
  list: SortedList<Query>,
  query: Query,
  view: (row: Row) => View,
): Promise<(SortedPage<View> & { readonly total: number | null }) | Refusal> {
  const page = await readSorted(db, list, query, view);
  if ('refused' in page) return page;
  if (query.cursor !== undefined) return { ...page, total: null };
  if (page.nextCursor === null) return { ...page, total: page.data.length };
  return { ...page, total: await countMatching(db, list, query) };
}

/** The number of rows that match a filter; null if they are more than a bulk change may have. */
async function countMatching<Filter>(
  db: Database,
  { from, filter: addConditions }: Matching<Filter>,
  filter: Filter,
): Promise<number | null> {
  const conditions = new Conditions();
  addConditions(conditions, filter);
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from (
       select from ${from} ${conditions.sql} limit ${conditions.place(BULK_OBJECTS_MAX + 1)}) matching`,
    conditions.values,
  );
  const { count } = onlyRow(rows);
  return count > BULK_OBJECTS_MAX ? null : count;
}

/** The ids that match a filter, at most one more than a bulk change may have. */
export async function idsMatching<Filter>(
  db: Database,
  { from, id, filter: addConditions }: Matching<Filter>,
  filter: Filter,
): Promise<string[]> {
  const conditions = new Conditions();
  addConditions(conditions, filter);
  const { rows } = await db.query<{ id: string }>(
    `select ${id} as id from ${from} ${conditions.sql} limit ${conditions.place(BULK_OBJECTS_MAX + 1)}`,
    conditions.values,
  );
  return rows.map((row) => row.id);
}
