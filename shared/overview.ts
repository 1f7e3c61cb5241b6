import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Count, Id, Instant, nullable, UsdTotal } from './wire-values.ts';
import { CHANNEL_HEALTH, CHANNEL_KINDS } from './channels.ts';
import { Problem } from './problems.ts';

/** The state that an operator looks at first. */
export const Overview = closed({
  at: Instant,
  /**
   * Replies of the last minute that are in the book. A request that fails before its reply leaves
   * no record: it is neither among the requests nor among the failures, which are replies that
   * broke off. The metrics count it.
   */
  traffic: closed({
    windowSeconds: Count,
    requests: Count,
    requestsPerSecond: Type.Number(),
    failures: Count,
    /** Milliseconds; null without requests. */
    latencyMsP50: nullable(Type.Number()),
    latencyMsP95: nullable(Type.Number()),
    firstByteMsP50: nullable(Type.Number()),
  }),
  spend: closed({
    todayUsd: UsdTotal,
    monthUsd: UsdTotal,
    uncollectedMonthUsd: UsdTotal,
    /**
     * The credits, less refunds, lost disputes and corrections; negative if more was taken back.
     */
    creditsMonthUsd: UsdTotal,
  }),
  accounts: closed({ total: Count, activeToday: Count, suspended: Count }),
  channels: Type.Array(
    closed({
      id: Id,
      name: Type.String(),
      kind: choice(CHANNEL_KINDS),
      status: choice(['active', 'disabled']),
      state: choice(CHANNEL_HEALTH),
      /**
       * Replies within the traffic window, by the channel that they came from, and those of them
       * that broke off.
       */
      requests: Count,
      failures: Count,
    }),
  ),
  /** The problems with stores and clocks that processes of the last minute report. */
  problems: Type.Array(Problem),
  ledger: closed({ reachable: Type.Boolean(), error: nullable(Type.String()) }),
  /** Null where this process does not drain. */
  drain: nullable(
    closed({
      /** Age of the oldest record that has not reached Postgres. */
      lagMs: Count,
      pending: Count,
    }),
  ),
  /** HTTP threads of this process; empty where it serves none. */
  threads: Type.Array(
    closed({ name: Type.String(), state: Type.String(), restarts: Count, uptimeMs: Count }),
  ),
  /** Periodic jobs of this process; each process runs all of them, one at a time. */
  jobs: Type.Array(
    closed({
      name: Type.String(),
      /** Null before the first success of this process. */
      lastSuccessAt: nullable(Instant),
      /** No success for five of its periods. */
      late: Type.Boolean(),
      /** The error of the latest run; null if it succeeded. */
      lastFailure: nullable(Type.String()),
    }),
  ),
});
export type Overview = Static<typeof Overview>;

export const HealthView = closed({ status: choice(['ok']) });
export type HealthView = Static<typeof HealthView>;
