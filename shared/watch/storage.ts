import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Count, Day, Instant, nullable } from '../api/wire-values.ts';

/** Groups of tables whose size is shown. */
export const STORAGE_GROUPS = [
  'usage_records',
  'usage_sums',
  'request_log',
  'audit',
  'money',
  'ledger',
  'other',
] as const;
export type StorageGroup = (typeof STORAGE_GROUPS)[number];

/** The space that Weir's data takes. */
export const StorageView = closed({
  readAt: Instant,
  database: closed({
    /** All of the database, with what belongs to no table of Weir. */
    bytes: Count,
    groups: Type.Array(
      closed({
        group: choice(STORAGE_GROUPS),
        /** Tables with their indexes. */
        bytes: Count,
        /** The first day of the oldest partition; null without partitions. */
        oldest: nullable(Day),
      }),
    ),
  }),
  /** Each primary; empty without Redis, or where Redis does not say. */
  redis: Type.Array(
    closed({
      name: Type.String(),
      usedBytes: Count,
      /** Null without a bound. */
      maxBytes: nullable(Count),
    }),
  ),
});
export type StorageView = Static<typeof StorageView>;
