import { PAGE_LIMIT_DEFAULT } from '@weir/shared/api/pages';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';

/** The sort key of the last row of a page: one text for each column that is sorted by. */
export type SortKey = readonly string[];

function writeCursor(key: SortKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

const INVALID = refuse(
  'invalid_cursor',
  'This cursor does not come from this list. Start again without a cursor.',
  { param: 'cursor' },
);

/**
 * Reads a cursor; `undefined` for the first page. `shapes` says what each part looks like, so that
 * a cursor made by hand cannot reach the database as anything but a well-formed value.
 */
export function readCursor(
  cursor: string | undefined,
  shapes: readonly RegExp[],
): SortKey | Refusal | undefined {
  if (cursor === undefined) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return INVALID;
  }
  if (!Array.isArray(parts) || parts.length !== shapes.length) return INVALID;
  const key = parts.filter((part): part is string => typeof part === 'string');
  const fits = shapes.every((shape, index) => shape.test(key[index] ?? ''));
  return fits && key.length === shapes.length ? key : INVALID;
}

export const UUID_SHAPE = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Up to 18 digits fit a bigint. */
export const INTEGER_SHAPE = /^-?\d{1,18}$/;

/** For lists that are sorted by id alone. */
export function readIdCursor(cursor: string | undefined): string | null | Refusal {
  const key = readCursor(cursor, [UUID_SHAPE]);
  if (key === undefined) return null;
  return 'refused' in key ? key : (key[0] ?? null);
}

interface Page<View> {
  readonly data: View[];
  readonly nextCursor: string | null;
}

export function pageLimit(query: { readonly limit?: number }): number {
  return query.limit ?? PAGE_LIMIT_DEFAULT;
}

/**
 * Makes a page of rows, of which one more than `limit` was asked for: the surplus shows that there
 * is a next page.
 */
export function pageOf<Row, View>(
  rows: readonly Row[],
  options: {
    readonly limit: number;
    readonly view: (row: Row) => View;
    readonly sortKey: (row: Row) => SortKey;
  },
): Page<View> {
  const shown = rows.slice(0, options.limit);
  const last = shown.at(-1);
  return {
    data: shown.map(options.view),
    nextCursor:
      rows.length > options.limit && last !== undefined ? writeCursor(options.sortKey(last)) : null,
  };
}
