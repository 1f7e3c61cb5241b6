import type { DashboardView } from '@weir/shared/watch/dashboard';
import { nanoUsdFromDecimal } from '@weir/shared/money/money';
import { permits } from '@weir/shared/api/permissions';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { readBalance } from '../accounts/account-row.ts';
import { activityFrom } from '../activity/activity-sort.ts';
import { decimalFromSum } from '../api/amount.ts';
import type { Call } from '../api/call.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import { readTrafficTrends, trendSpan } from '../overview/trends.ts';
import { readSubscriptionsOf } from '../subscriptions/routes.ts';
import { ownUsage } from '../usage/whose-usage.ts';

const PACE_DAYS = 7;
const FAILING_KEYS_MAX = 5;
const TENTHS = 10;

/**
 * The balance that was used in seven days, and the days since the first use within them: an account
 * that began yesterday is not divided by seven. Less than a day is no pace.
 */
const PACE = `
  select coalesce(sum(balance_nano_usd), 0)::text as used,
    greatest(1, extract(epoch from now() - min(day)::timestamp at time zone 'UTC') / 86400)::float8 as days
  from usage_by_key
  where account_id = $1 and day > (now() at time zone 'UTC')::date - $2::integer`;

const FAILING_KEYS = `
  select k.id, k.name, sum(s.requests)::integer as requests,
    sum(s.requests) filter (where s.code not in ('', 'client_disconnected'))::integer as failed,
    (array_agg(s.code order by s.requests desc)
      filter (where s.code not in ('', 'client_disconnected')))[1] as code
  from keys k join request_key_sums s on s.key_id = k.id
  where k.account_id = $1 and ($3::bigint is null or k.member_id = $3) and k.status <> 'deleted' and s.grain = 'hour' and s.starts_at >= $2
  group by k.id
  having sum(s.requests) filter (where s.code not in ('', 'client_disconnected')) > 0
  order by failed desc, k.id limit ${String(FAILING_KEYS_MAX)}`;

async function readForecast(
  db: Database,
  accountId: string,
  availableUsd: string | undefined,
): Promise<NonNullable<DashboardView['forecast']>> {
  const { rows } = await db.query<{ used: string; days: number | null }>(PACE, [
    accountId,
    PACE_DAYS,
  ]);
  const { used, days } = onlyRow(rows);
  const perDay = Math.max(0, Math.round(Number(used) / (days ?? 1)));
  const available = nanoUsdFromDecimal(availableUsd ?? '');
  return {
    perDayUsd: decimalFromSum(String(perDay)),
    daysLeft:
      perDay === 0 || available == null ? null : Math.round((available / perDay) * TENTHS) / TENTHS,
  };
}

/** The figures that a customer looks at first, from sums alone. */
export async function getDashboard({
  context,
  caller,
}: Call<'getDashboard'>): Promise<DashboardView> {
  const { pool } = context;
  const span = trendSpan(databaseNowMs());
  const scope = ownUsage(caller);
  const { accountId } = caller;
  const seesMoney = permits(caller, 'billing.read');
  const { hasWeekBefore, trends } = await readTrafficTrends(pool, span, scope);
  const balance = seesMoney ? await readBalance(context, accountId) : null;
  const subscriptions = await readSubscriptionsOf(pool, accountId);
  const keys = await pool.query<DashboardView['failingKeys'][number]>(FAILING_KEYS, [
    accountId,
    activityFrom(),
    scope.ownMemberId ?? null,
  ]);
  return {
    at: new Date().toISOString(),
    hasWeekBefore,
    trends,
    balance,
    forecast: seesMoney ? await readForecast(pool, accountId, balance?.availableUsd) : null,
    subscriptions: subscriptions.filter(({ status }) => status === 'active'),
    failingKeys: keys.rows,
  };
}
