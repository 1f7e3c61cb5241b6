import { Conditions } from '../api/lists/conditions.ts';
import type { Database } from '../api/transaction.ts';
import type { MonthPeriod } from './month-period.ts';

/** Sums of a month in nanodollars or requests, as texts: they may be beyond 2^53. */
export const SUM_NAMES = [
  'requests',
  'usage',
  'fromBalance',
  'fromSubscription',
  'uncollected',
  'upstreamCost',
  'unknownCostRequests',
  'margin',
  'bought',
  'redeemed',
  'given',
  'refunded',
  'plansFromBalance',
  'plansByCard',
  'plansRefunded',
  'opening',
  'closing',
] as const;

export type MonthSums = Readonly<Record<(typeof SUM_NAMES)[number], string>>;

export interface CustomerSums extends MonthSums {
  /** Null for the total. */
  readonly accountId: string | null;
  readonly accountName: string | null;
  /** Customers; of the total alone. */
  readonly customers: string;
}

/**
 * One part of usage from a time on, until another: of days that are wholly within it the sums of
 * the day, of the hours at its edges the records themselves.
 */
function usageSql(from: string, to: string): string {
  const midnight = (at: string, direction: 'up' | 'down') =>
    `(date_trunc('day', (${at}) at time zone 'UTC'${direction === 'up' ? ` + interval '23:59:59.999999'` : ''}))`;
  const [first, last] = [midnight(from, 'up'), midnight(to, 'down')];
  const records = (low: string, high: string) => `
    select account_id, 1, balance_nano_usd, subscription_nano_usd, uncollected_nano_usd,
      (upstream_cost_nano_usd is not null)::integer,
      case when upstream_cost_nano_usd is null then 0 else balance_nano_usd + subscription_nano_usd end,
      coalesce(upstream_cost_nano_usd, 0)
    from usage_records where created_at >= ${low} and created_at < ${high}`;
  return `
    select account_id, requests, balance_nano_usd as balance, subscription_nano_usd as subscription,
      uncollected_nano_usd as uncollected, known_requests,
      known_balance_nano_usd + known_subscription_nano_usd as known_revenue, upstream_cost_nano_usd as upstream_cost
    from margins where day >= ${first}::date and day < ${last}::date
    union all ${records(from, `${first} at time zone 'UTC'`)}
    union all ${records(`greatest(${last} at time zone 'UTC', ${from})`, to)}`;
}

const USAGE_SUMS = `
  account_id, sum(requests) as requests, sum(balance) as balance, sum(subscription) as subscription,
  sum(uncollected) as uncollected, sum(known_requests) as known_requests,
  sum(known_revenue) as known_revenue, sum(upstream_cost) as upstream_cost`;

function kinds(...of: readonly string[]): string {
  const list = of.map((kind) => `'${kind}'`).join(', ');
  return `coalesce(sum(amount_nano_usd) filter (where kind in (${list})), 0)`;
}

/**
 * Balances are what the book has now, less what came after the month: usage that was charged again
 * (`recovered_usage`) is in the usage of its day, so that its credit is left out.
 */
function statementSql(from: string, to: string): string {
  return `
  with used as (
    select ${USAGE_SUMS} from (${usageSql(from, to)}) parts group by account_id
  ), used_later as (
    select account_id, sum(balance) as balance from (${usageSql(to, `'2200-01-01 00:00:00+00'::timestamptz`)}) parts group by account_id
  ), credited as (
    select account_id, ${kinds('top_up')} as bought, ${kinds('redemption')} as redeemed,
      ${kinds('adjustment', 'bootstrap')} as given, -${kinds('refund', 'chargeback')} as refunded,
      -${kinds('plan_purchase')} as plans_from_balance
    from credits where created_at >= ${from} and created_at < ${to} group by account_id
  ), credited_later as (
    select account_id, sum(amount_nano_usd) as amount from credits
    where created_at >= ${to} and kind <> 'recovered_usage' group by account_id
  ), plans as (
    select account_id,
      coalesce(sum(amount_nano_usd) filter (where debit = 'cash' and reference like 'order:%'), 0) as paid,
      coalesce(sum(case when debit = 'plan_revenue' then amount_nano_usd else -amount_nano_usd end)
        filter (where reference like 'refund%'), 0) as refunded
    from journal_entries
    where at >= ${from} and at < ${to} and credit in ('plan_revenue', 'cash')
      and (debit, credit) in (('cash', 'plan_revenue'), ('plan_revenue', 'cash'))
    group by account_id
  ), parts as (
    select a.id, a.name, coalesce(u.requests, 0) as requests, coalesce(u.balance, 0) as balance,
      coalesce(u.subscription, 0) as subscription, coalesce(u.uncollected, 0) as uncollected,
      coalesce(u.known_requests, 0) as known_requests, coalesce(u.known_revenue, 0) as known_revenue,
      coalesce(u.upstream_cost, 0) as upstream_cost, coalesce(c.bought, 0) as bought,
      coalesce(c.redeemed, 0) as redeemed, coalesce(c.given, 0) as given, coalesce(c.refunded, 0) as refunded,
      coalesce(c.plans_from_balance, 0) as plans_from_balance, coalesce(p.paid, 0) as plans_by_card,
      coalesce(p.refunded, 0) as plans_refunded,
      a.balance_nano_usd - coalesce(cl.amount, 0) + coalesce(ul.balance, 0) as closing
    from accounts a
      left join used u on u.account_id = a.id left join used_later ul on ul.account_id = a.id
      left join credited c on c.account_id = a.id left join credited_later cl on cl.account_id = a.id
      left join plans p on p.account_id = a.id
  ), customers as materialized (
    select id as "accountId", name as "accountName", requests, balance + subscription + uncollected as usage,
      balance as "fromBalance", subscription as "fromSubscription", uncollected,
      upstream_cost as "upstreamCost", requests - known_requests as "unknownCostRequests",
      known_revenue - upstream_cost as margin, bought, redeemed, given, refunded,
      plans_from_balance as "plansFromBalance", plans_by_card as "plansByCard", plans_refunded as "plansRefunded",
      closing - bought - redeemed - given + refunded + plans_from_balance + balance as opening, closing
    from parts
    where requests <> 0 or bought <> 0 or redeemed <> 0 or given <> 0 or refunded <> 0 or closing <> 0
      or plans_from_balance <> 0 or plans_by_card <> 0 or plans_refunded <> 0
  )`;
}

const AS_TEXT = SUM_NAMES.map((name) => `"${name}"::text as "${name}"`).join(', ');
const TOTALS = SUM_NAMES.map((name) => `coalesce(sum("${name}"), 0)::text as "${name}"`).join(', ');

/**
 * Reads the sums of all customers with any movement or balance, in one view of the book: the total
 * first, then those with the most usage.
 * @param rowsMax customers beyond it are in the total alone
 */
export async function readMonthSums(
  db: Database,
  { from, to }: MonthPeriod,
  rowsMax: number,
): Promise<{ readonly total: CustomerSums; readonly rows: readonly CustomerSums[] }> {
  const values = new Conditions();
  const [low, high] = [from, to].map((at) => `${values.place(at)}::timestamptz`);
  const text = `${statementSql(low ?? '', high ?? '')}
    select null::uuid as "accountId", null as "accountName", count(*)::text as customers, 0 as place, ${TOTALS} from customers
    union all (
      select "accountId", "accountName", '1', row_number() over (order by usage desc, "accountId"), ${AS_TEXT}
      from customers order by usage desc, "accountId" limit ${values.place(rowsMax)})
    order by place`;
  const { rows } = await db.query<CustomerSums>(text, values.values);
  const [total, ...customers] = rows;
  if (total === undefined) throw new Error('the sums of a month have no total');
  return { total, rows: customers };
}
