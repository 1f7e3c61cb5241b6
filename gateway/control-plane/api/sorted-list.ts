import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import { Conditions } from './conditions.ts';
import { pageLimit, pageOf, readCursor, UUID_SHAPE } from './cursor.ts';

/** What a list can be sorted by. */
export interface SortColumn<Row> {
  /** SQL, from code; never null, or its rows would be missing from the pages after the first. */
  readonly expression: string;
  readonly type: 'text' | 'bigint' | 'uuid';
  /** What the value looks like in a cursor. */
  readonly shape: RegExp;
  /** The value of the expression for a row. */
  readonly valueOf: (row: Row) => string;
}

/** Any text that PostgreSQL can hold. */
export const TEXT_SHAPE = /^[^\0]*$/;

/** A request for a page. A sort names a column, after `-` for descending. */
interface SortedQuery {
  readonly sort?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** One page of a list: the caller adds its conditions and reads. */
interface SortedPage {
  readonly conditions: Conditions;
  /** Ends the query. */
  readonly order: string;
}

interface SortedList<Row extends { readonly id: string }, View> {
  readonly columns: Readonly<Record<string, SortColumn<Row>>>;
  /** The sort of a query that names none. */
  readonly sort: string;
  /** The SQL of a row's id, which orders rows that are alike. */
  readonly id: string;
  readonly find: (page: SortedPage) => Promise<Row[]>;
  readonly view: (row: Row) => View;
}

/**
 * Reads one page of a list that is sorted by any of its columns. Rows that are alike are ordered by
 * id in the same direction: one row comparison then continues the list without a gap or a repeat,
 * and an index on both columns serves it both ways. A cursor names its sort and fits no other.
 */
export async function readSorted<Row extends { readonly id: string }, View>(
  query: SortedQuery,
  list: SortedList<Row, View>,
): Promise<{ data: View[]; nextCursor: string | null } | Refusal> {
  const sort = query.sort ?? list.sort;
  const isDescending = sort.startsWith('-');
  const column = list.columns[isDescending ? sort.slice(1) : sort];
  if (column === undefined) throw new Error(`no column to sort by: ${sort}`);
  const key = readCursor(query.cursor, [new RegExp(`^${sort}$`), column.shape, UUID_SHAPE]);
  if (key !== undefined && isRefusal(key)) return key;
  const { expression, type } = column;
  const conditions = new Conditions();
  if (key !== undefined) {
    const [, value, id] = key;
    const after = `(${conditions.place(value)}::${type}, ${conditions.place(id)}::uuid)`;
    conditions.add(`(${expression}, ${list.id}) ${isDescending ? '<' : '>'} ${after}`);
  }
  const limit = pageLimit(query.limit === undefined ? {} : { limit: query.limit });
  const direction = isDescending ? 'desc' : 'asc';
  const order = `order by ${expression} ${direction}, ${list.id} ${direction}`;
  const rows = await list.find({
    conditions,
    order: `${order} limit ${conditions.place(limit + 1)}`,
  });
  return pageOf(rows, {
    limit,
    view: list.view,
    sortKey: (row) => [sort, column.valueOf(row), row.id],
  });
}
