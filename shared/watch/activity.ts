import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Count, Id, Instant, nullable, UsdTotal } from '../api/wire-values.ts';

/** The objects whose latest 24 hours are listed. */
export const ACTIVITY_KINDS = ['account', 'channel', 'key', 'model'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** Hours of an activity; the last one is the current one. */
export const ACTIVITY_HOURS = 24;
export const ACTIVITY_IDS_MAX = 100;

/** The figures that lists of objects can be sorted by; `-` is descending. */
export const ACTIVITY_SORTS = [
  'requests',
  '-requests',
  'errors',
  '-errors',
  'firstByte',
  '-firstByte',
  'spend',
  '-spend',
] as const;

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';

/** Ids with commas between them, so that a page of a list is one request. */
const Ids = Type.String({ pattern: `^${UUID}(?:,${UUID}){0,${String(ACTIVITY_IDS_MAX - 1)}}$` });

export const KeyActivityQuery = closed({ ids: Ids });
export type KeyActivityQuery = Static<typeof KeyActivityQuery>;
export const ActivityQuery = closed({ kind: choice(ACTIVITY_KINDS), ids: Ids });
export type ActivityQuery = Static<typeof ActivityQuery>;

/** The latest 24 hours of an object. */
export const ActivityView = closed({
  id: Id,
  /** Attempts if it is a channel, so that one that fails before others serve is seen. */
  requests: Count,
  /** Those that were not served in full; a client that leaves is no failure. */
  failed: Count,
  /** Milliseconds, from a histogram; null without a reply. */
  firstByteMsP95: nullable(Type.Number()),
  /** The amount that customers were billed. */
  costUsd: UsdTotal,
  /** Requests of each hour, oldest first. */
  hours: Type.Array(Count),
  failedHours: Type.Array(Count),
});
export type ActivityView = Static<typeof ActivityView>;

/** In the order of the ids; an object without requests has zeros. */
export const ActivityList = closed({
  /** The beginning of the first hour. */
  from: Instant,
  data: Type.Array(ActivityView),
});
export type ActivityList = Static<typeof ActivityList>;
