import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Count, Id, Instant, nullable, Usd, UsdTotal } from '../api/wire-values.ts';
import { CHANNEL_HEALTH, CHANNEL_KINDS } from '../catalog/channels.ts';
import { Problem } from '../api/problems.ts';
import { MoneyTrend, Trend, TRAFFIC_TRENDS } from './trends.ts';
import { BALANCE_CURRENCIES } from '../prices/upstream-balances.ts';
import { ALERT_KINDS } from './alerts.ts';

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
  /** The latest 24 hours by hour; read at most twice a minute. */
  trends: closed({
    from: Instant,
    /** False while the request log is younger than a week: nothing to compare with. */
    hasWeekBefore: Type.Boolean(),
    ...TRAFFIC_TRENDS,
    /**
     * Profit in percent of the revenue whose upstream cost is known, of the last seven days and by
     * day, as costs are summed. Null for those who may not see margins.
     */
    marginPercent: nullable(Trend),
    /** Credits less refunds, lost disputes and corrections. */
    credits: MoneyTrend,
    /** Accounts that sent a request. */
    activeAccounts: Trend,
  }),
  /** The things that a person has to see to; channels and jobs are below. */
  needs: closed({
    /** Empty for those who may not see alert rules. */
    alerts: Type.Array(
      closed({
        ruleId: Id,
        ruleName: Type.String(),
        kind: choice(ALERT_KINDS),
        /** The id or name of what the rule is true of. */
        subject: Type.String(),
        name: Type.String(),
        since: Instant,
      }),
    ),
    /**
     * Upstream balances below the highest threshold of an alert rule, or used up; empty for those
     * who may not see them.
     */
    lowBalances: Type.Array(
      closed({
        channelId: Id,
        channelName: Type.String(),
        balance: Usd,
        currency: choice(BALANCE_CURRENCIES),
      }),
    ),
    /** Refunds that the payment service has not confirmed within minutes. */
    openRefunds: Count,
    /** Orders whose payment differs from what was ordered. */
    disputedOrders: Count,
  }),
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
