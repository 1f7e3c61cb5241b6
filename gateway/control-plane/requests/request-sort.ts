import type { RequestSort } from '@weir/shared/watch/requests';
import type { Conditions } from '../api/lists/conditions.ts';
import { addTimePosition } from '../api/lists/newest-first.ts';
import type { RequestRow } from './request-row.ts';

/** A page of requests: so many rows after the row that was seen last. */
export interface RequestPosition {
  readonly sort: RequestSort;
  /** The value of the sort's column, as text, and the request id. */
  readonly after: { readonly value: string; readonly requestId: string } | null;
  readonly limit: number;
}

interface Column {
  readonly name: 'created_at' | 'duration_ms' | 'cost_nano_usd';
  readonly valueOf: (row: RequestRow) => string;
}

const BY_TIME: Column = { name: 'created_at', valueOf: ({ atUs }) => atUs };
const BY_DURATION: Column = {
  name: 'duration_ms',
  valueOf: ({ durationMs }) => String(durationMs),
};
const BY_COST: Column = {
  name: 'cost_nano_usd',
  valueOf: ({ costNanoUsd }) => String(costNanoUsd),
};

const COLUMNS: Readonly<Record<RequestSort, Column>> = {
  created: BY_TIME,
  '-created': BY_TIME,
  duration: BY_DURATION,
  '-duration': BY_DURATION,
  cost: BY_COST,
  '-cost': BY_COST,
};

function directionOf(sort: RequestSort): 'asc' | 'desc' {
  return sort.startsWith('-') ? 'desc' : 'asc';
}

export function isByTime(sort: RequestSort): boolean {
  return COLUMNS[sort] === BY_TIME;
}

/** The value of a row that a cursor holds: an integer. */
export function sortValue(sort: RequestSort, row: RequestRow): string {
  return COLUMNS[sort].valueOf(row);
}

/** SQL that orders rows `r`; those that are alike are ordered by id in the same direction. */
export function orderBy(sort: RequestSort): string {
  const direction = directionOf(sort);
  return `order by r.${COLUMNS[sort].name} ${direction}, r.request_id ${direction}`;
}

/** Adds what comes after the position. */
export function addSortPosition(conditions: Conditions, { sort, after }: RequestPosition): void {
  if (after === null) return;
  const direction = directionOf(sort);
  const { value, requestId } = after;
  if (isByTime(sort)) {
    addTimePosition(conditions, { atUs: value, requestId }, direction);
    return;
  }
  const position = `(${conditions.place(value)}::bigint, ${conditions.place(requestId)}::uuid)`;
  conditions.add(
    `(r.${COLUMNS[sort].name}, r.request_id) ${direction === 'desc' ? '<' : '>'} ${position}`,
  );
}
