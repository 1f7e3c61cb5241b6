import { csvHeader, csvLine } from '@weir/shared/csv';
import type { Database } from '../api/transaction.ts';
import type { MonthPeriod } from './month-period.ts';
import { readMonthSums } from './month-sums.ts';
import { rowView } from './month-view.ts';

/** Customers of one file; the total of a file with more would differ from its rows. */
const CUSTOMERS_MAX = 1_000_000;
/** Rows that are written to the client at a time. */
const CHUNK_ROWS = 500;

/** The columns and the sums in them. */
const COLUMNS = {
  requests: 'requests',
  usage_usd: 'usageUsd',
  from_balance_usd: 'fromBalanceUsd',
  from_subscription_usd: 'fromSubscriptionUsd',
  uncollected_usd: 'uncollectedUsd',
  upstream_cost_usd: 'upstreamCostUsd',
  unknown_cost_requests: 'unknownCostRequests',
  margin_usd: 'marginUsd',
  bought_usd: 'boughtUsd',
  redeemed_usd: 'redeemedUsd',
  given_usd: 'givenUsd',
  refunded_usd: 'refundedUsd',
  plans_from_balance_usd: 'plansFromBalanceUsd',
  plans_by_card_usd: 'plansByCardUsd',
  plans_refunded_usd: 'plansRefundedUsd',
  opening_balance_usd: 'openingUsd',
  closing_balance_usd: 'closingUsd',
} as const;

const HEAD = ['month', 'time_zone', 'account_id', 'account_name', ...Object.keys(COLUMNS)];

/** The sums of a month as CSV, one row per customer, all in one view of the book. */
export async function* monthFile(db: Database, period: MonthPeriod): AsyncGenerator<string> {
  yield csvHeader(HEAD);
  const { rows } = await readMonthSums(db, period, CUSTOMERS_MAX);
  for (let at = 0; at < rows.length; at += CHUNK_ROWS) {
    const lines = rows.slice(at, at + CHUNK_ROWS).map((row) => {
      const view = rowView(row);
      const sums = Object.values(COLUMNS).map((name) => String(view[name]));
      const { accountId, accountName } = view;
      return csvLine([period.month, period.timeZone, accountId, accountName, ...sums]);
    });
    yield lines.join('');
  }
}
