import * as Type from 'typebox';
import type { Static } from 'typebox';
import { closed, nullable, UsdTotal } from '../api/wire-values.ts';

/** A figure of the latest 24 hours, its hours, and the same span of the week before. */
export const Trend = closed({
  /** Null where nothing was measured. */
  value: nullable(Type.Number()),
  /** Null where nothing was measured, or nothing is kept of then. */
  weekBefore: nullable(Type.Number()),
  /** Hours, or days where the figure is by day; oldest first. */
  points: Type.Array(nullable(Type.Number())),
});
export type Trend = Static<typeof Trend>;

export const MoneyTrend = closed({
  value: UsdTotal,
  weekBefore: nullable(UsdTotal),
  /** USD, as numbers: for drawing. */
  points: Type.Array(Type.Number()),
});
export type MoneyTrend = Static<typeof MoneyTrend>;

/** Figures of requests, everyone's or one account's. */
export const TRAFFIC_TRENDS = {
  requests: Trend,
  /** Requests that were not served in full; a client that leaves is no failure. */
  failed: Trend,
  /** The share of them, in percent. */
  errorPercent: Trend,
  /** Milliseconds; half of the replies began sooner. */
  firstByteMsP50: Trend,
  /** Output tokens of streams per second of their own time. */
  streamTokensPerSecond: Trend,
  /** The amount that customers were billed. */
  spend: MoneyTrend,
};
