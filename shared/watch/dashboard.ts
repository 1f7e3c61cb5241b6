import * as Type from 'typebox';
import type { Static } from 'typebox';
import { BalanceView } from '../people/accounts.ts';
import { SubscriptionView } from '../money/subscriptions.ts';
import { TRAFFIC_TRENDS } from './trends.ts';
import { closed, Count, Id, Instant, nullable, UsdAmount } from '../api/wire-values.ts';

/** The figures that a customer looks at first: those of the requests that they may see. */
export const DashboardView = closed({
  at: Instant,
  /** False while the account has no requests that are a week old: nothing to compare with. */
  hasWeekBefore: Type.Boolean(),
  trends: closed(TRAFFIC_TRENDS),
  /** Null while the ledger cannot be reached, and for members who do not see money. */
  balance: nullable(BalanceView),
  /**
   * The pace at which requests used the balance in the last seven days; null for members who do not
   * see money.
   */
  forecast: nullable(
    closed({
      perDayUsd: UsdAmount,
      /** The days for which the balance lasts at that pace; null where nothing is used. */
      daysLeft: nullable(Type.Number()),
    }),
  ),
  /** Those that are running. */
  subscriptions: Type.Array(SubscriptionView),
  /** Keys with failures in the latest 24 hours, those with the most first. */
  failingKeys: Type.Array(
    closed({
      id: Id,
      name: Type.String(),
      requests: Count,
      failed: Count,
      /** The most frequent reason: a code of the error catalogue. */
      code: Type.String(),
    }),
  ),
});
export type DashboardView = Static<typeof DashboardView>;
