import * as Type from 'typebox';
import type { TSchema } from 'typebox';
import { closed, Count, nullable } from './wire-values.ts';

/** Rows per page when the caller names no number, and the most it may ask for. */
export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 200;

/** A cursor may hold a name of 100 characters, each written as six, in base 64. */
const CURSOR_LENGTH_MAX = 1_000;

/**
 * Keyset pagination. The cursor is opaque: it carries the sort key of the last row, so a page costs
 * the same wherever it is, and rows that arrive meanwhile neither repeat nor hide others.
 */
export const PAGE_QUERY = {
  cursor: Type.Optional(Type.String({ maxLength: CURSOR_LENGTH_MAX })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT }),
  ),
};

export function pageOf<Schema extends TSchema>(item: Schema) {
  return closed({
    data: Type.Array(item),
    /** Send it back as `cursor` for the next page; null on the last. */
    nextCursor: nullable(Type.String()),
  });
}

/** Objects that one bulk change may have. */
export const BULK_OBJECTS_MAX = 5_000;

/** A page of a list whose rows can be changed in bulk. */
export function countedPageOf<Schema extends TSchema>(item: Schema) {
  return closed({
    ...pageOf(item).properties,
    /** Rows that match, on the first page; null if they are too many for a bulk change. */
    total: nullable(Count),
  });
}

/** A list that is always short enough to come whole. */
export function listOf<Schema extends TSchema>(item: Schema) {
  return closed({ data: Type.Array(item) });
}

export const PageQuery = closed(PAGE_QUERY);
