import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Count, Id, Instant, nullable, UsdTotal } from '../api/wire-values.ts';

export const TRAFFIC_DIMENSIONS = ['none', 'model', 'channel', 'group', 'account', 'code'] as const;
export type TrafficDimension = (typeof TRAFFIC_DIMENSIONS)[number];

/** Longer periods are by day. */
export const TRAFFIC_HOURS_MAX = 7 * 24;
export const TRAFFIC_DAYS_MAX = 731;

/**
 * Upper bounds of the histogram of times to the first token, milliseconds; the last part has none.
 */
export const FIRST_BYTE_BOUNDS_MS = [
  50, 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 4000, 5000, 7000, 10000, 15000,
  20000, 30000, 60000,
] as const;

/** The same for whole requests, which take longer. */
export const DURATION_BOUNDS_MS = [
  ...FIRST_BYTE_BOUNDS_MS,
  90_000,
  120_000,
  180_000,
  300_000,
  600_000,
] as const;

/** Parts over the whole period; the rest is one. */
export const TRAFFIC_TOTALS_MAX = 1_000;

/** Codes that say that a limit was hit: the customer's own, or the upstream's. */
export const LIMIT_CODES = [
  'rate_limit_exceeded',
  'token_rate_limit_exceeded',
  'concurrency_limit_exceeded',
  'account_budget_exceeded',
  'team_budget_exceeded',
  'member_budget_exceeded',
  'key_budget_exceeded',
  'insufficient_balance',
  'upstream_rate_limited',
] as const;

const TRAFFIC_SUMS = {
  requests: Count,
  /** Requests that were not served in full; those whose client left are not among them. */
  failed: Count,
  /** Attempts that failed at a channel, also of requests that were served by another. */
  failedAttempts: Count,
  inputTokens: Count,
  outputTokens: Count,
  costUsd: UsdTotal,
  /** Milliseconds, from a histogram; null without a reply. */
  firstByteMsP50: nullable(Type.Number()),
  firstByteMsP95: nullable(Type.Number()),
  /** The p95 of whole requests; null without requests, and for days before it was measured. */
  durationMsP95: nullable(Type.Number()),
  /** Output tokens of streams per second of their own time; null without streams. */
  streamTokensPerSecond: nullable(Type.Number()),
};

/** One of what the traffic is split by. */
const TRAFFIC_PART = {
  /**
   * The model, code, or id of the channel, group or account; null when not split, and for the rest.
   */
  of: nullable(Type.String()),
  /** Its name for people. */
  label: nullable(Type.String()),
};

export const TrafficPoint = closed({ startsAt: Instant, ...TRAFFIC_PART, ...TRAFFIC_SUMS });
export type TrafficPoint = Static<typeof TrafficPoint>;
export const TrafficTotal = closed({ ...TRAFFIC_PART, ...TRAFFIC_SUMS });
export type TrafficTotal = Static<typeof TrafficTotal>;

export const TrafficQuery = closed({
  /** Inclusive; a day before `to` when absent. */
  from: Type.Optional(Instant),
  /** Exclusive; now when absent. */
  to: Type.Optional(Instant),
  by: Type.Optional(choice(TRAFFIC_DIMENSIONS)),
  model: Type.Optional(Type.String({ maxLength: 128 })),
  channelId: Type.Optional(Id),
  groupId: Type.Optional(Id),
  /** Not together with the three above: sums of accounts are apart. */
  accountId: Type.Optional(Id),
  /** Not together with any of the above: sums of keys are apart. */
  keyId: Type.Optional(Id),
});
export type TrafficQuery = Static<typeof TrafficQuery>;

/** The same of the own account, or of one of its keys. */
export const OwnTrafficQuery = closed({
  from: TrafficQuery.properties.from,
  to: TrafficQuery.properties.to,
  by: Type.Optional(choice(['none', 'code'])),
  keyId: Type.Optional(Id),
});
export type OwnTrafficQuery = Static<typeof OwnTrafficQuery>;

export const TrafficView = closed({
  step: choice(['hour', 'day']),
  from: Instant,
  to: Instant,
  /** Hours or days with requests, each split into the parts with the most requests and the rest. */
  points: Type.Array(TrafficPoint),
  /** The same hours or days, each as a whole. */
  steps: Type.Array(TrafficPoint),
  /**
   * The parts over the whole period, those with the most requests first: up to 1,000 of them, and
   * the rest.
   */
  totals: Type.Array(TrafficTotal),
  /** The whole period. */
  total: TrafficTotal,
});
export type TrafficView = Static<typeof TrafficView>;
