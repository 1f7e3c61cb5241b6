import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Count, Day, Id, nullable, UsdTotal } from '../api/wire-values.ts';

/** The dimensions of margins: revenue less upstream costs. For administrators alone. */
export const MARGIN_DIMENSIONS = ['day', 'model', 'channel', 'account'] as const;
export type MarginDimension = (typeof MARGIN_DIMENSIONS)[number];
export const MARGIN_DAYS_MAX = 731;
/** Rows of a reply; the rest is one more. A CSV file has them all. */
export const MARGIN_ROWS_MAX = 200;

export const MarginQuery = closed({
  /** Inclusive days in UTC; the last 30 when absent. */
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  /** Days when absent. */
  by: Type.Optional(choice(MARGIN_DIMENSIONS)),
  model: Type.Optional(Type.String({ maxLength: 128 })),
  channelId: Type.Optional(Id),
  accountId: Type.Optional(Id),
});
export type MarginQuery = Static<typeof MarginQuery>;

const MARGIN_SUMS = {
  requests: Count,
  /**
   * The amount that customers paid, from balances and plans. A request paid by a plan counts at its
   * own price, as in the books, and not at the price of the plan.
   */
  revenueUsd: UsdTotal,
  /** The part of the revenue that plans paid. */
  fromSubscriptionUsd: UsdTotal,
  /** The amount that nothing could cover: no revenue. */
  uncollectedUsd: UsdTotal,
  /** Requests whose upstream cost is not known, and their revenue: no part of the profit. */
  unknownRequests: Count,
  unknownRevenueUsd: UsdTotal,
  /** Revenue of the requests whose cost is known. */
  knownRevenueUsd: UsdTotal,
  /** The cost of those requests at their upstreams. */
  upstreamCostUsd: UsdTotal,
  /** The difference of the two. */
  profitUsd: UsdTotal,
  /** Profit as a part of the known revenue; null without any. */
  marginPercent: nullable(Type.Number()),
};

export const MarginSums = closed(MARGIN_SUMS);
export type MarginSums = Static<typeof MarginSums>;

export const MarginRow = closed({
  /** The day, the model, or the id of the channel or account; null where none is known. */
  of: nullable(Type.String()),
  /** Its name for people. */
  label: nullable(Type.String()),
  /** All that are beyond the rows of the reply, in one. */
  isRest: Type.Boolean(),
  ...MARGIN_SUMS,
});
export type MarginRow = Static<typeof MarginRow>;

export const MarginView = closed({
  from: Day,
  to: Day,
  by: choice(MARGIN_DIMENSIONS),
  /** Days in their order; others by revenue. */
  data: Type.Array(MarginRow),
  total: MarginSums,
});
export type MarginView = Static<typeof MarginView>;
