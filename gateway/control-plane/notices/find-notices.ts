import type { BudgetView } from '@weir/shared/money/budgets';
import { NOTICE_DEFAULTS } from '@weir/shared/people/notices';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import type { Database } from '../api/transaction.ts';
import type { NoticeNews } from './notice-mails.ts';

/** Found at a time: with many, the rest is for the next round. */
const BATCH = 500;
/** A budget that was used up long ago is no news. */
const KEY_USED_WITHIN_HOURS = 24;

export interface Notice {
  readonly accountId: string;
  readonly news: NoticeNews;
}

/**
 * Marks what it returns, so that it is reported once until the balance was above the threshold
 * again.
 */
const LOW_BALANCES = `
  update notice_settings s set low_balance_told_at = now()
  from accounts a
  where a.id = s.account_id and s.low_balance_told_at is null and s.account_id in (
    select l.account_id from notice_settings l join accounts b on b.id = l.account_id
    where l.low_balance_told_at is null and b.balance_nano_usd < l.low_balance_nano_usd limit ${String(BATCH)})
  returning a.id as "accountId", a.balance_nano_usd as "balanceNanoUsd", s.low_balance_nano_usd as "thresholdNanoUsd"`;

const NO_LONGER_LOW = `
  update notice_settings s set low_balance_told_at = null
  from accounts a
  where a.id = s.account_id and s.low_balance_told_at is not null
    and (s.low_balance_nano_usd is null or a.balance_nano_usd >= s.low_balance_nano_usd)`;

/**
 * A budget is reported once for each of its periods; a changed one is another. Requests are refused
 * when the rest of a budget does not cover their hold, which is mostly before it is used up.
 */
const KEY_BUDGETS = `
  with used as (
    select k.id, k.account_id, k.name, b.period, b.budget, s.spent_nano_usd as spent,
      b.period || ' ' || s.period_start::text || ' ' || b.budget::text as mark
    from keys k
    left join notice_settings n on n.account_id = k.account_id
    cross join lateral (values ('total', k.budget_total_nano_usd), ('day', k.budget_day_nano_usd),
      ('month', k.budget_month_nano_usd)) as b(period, budget)
    join key_spend s on s.key_id = k.id and s.period = b.period 
      and s.period_start = period_start(b.period, account_local(k.account_id, now()))
    where (k.budget_total_nano_usd is not null or k.budget_day_nano_usd is not null or k.budget_month_nano_usd is not null)
      and k.status = 'active' and k.last_used_at > now() - make_interval(hours => ${String(KEY_USED_WITHIN_HOURS)})
      and b.budget > 0
      and s.spent_nano_usd::numeric * 100 >= b.budget::numeric *
        case when n.account_id is null then ${String(NOTICE_DEFAULTS.budgetPercent)} else n.budget_percent end
      and not exists (select from sent_notices t where t.kind = 'key_budget' and t.subject_id = k.id
        and t.period = b.period || ' ' || s.period_start::text || ' ' || b.budget::text)
    limit ${String(BATCH)}),
  told as (
    insert into sent_notices (kind, subject_id, period, account_id)
    select 'key_budget', id, mark, account_id from used
    on conflict do nothing returning subject_id, period)
  select u.account_id as "accountId", u.name as "keyName", u.period, u.spent as "spentNanoUsd", u.budget as "budgetNanoUsd"
  from used u join told t on t.subject_id = u.id and t.period = u.mark`;

/** The same for accounts, teams and members. Those of members who left are no news. */
const SHARED_BUDGETS = `
  with used as (
    select s.account_id, coalesce(t.name, u.email, a.name) as name, split_part(s.scope, ':', 1) as kind,
      c.period, c.budget, p.spent_nano_usd as spent,
      c.period || ' ' || p.period_start::text || ' ' || c.budget::text || ' ' || s.scope as mark
    from spend_budgets s
    join accounts a on a.id = s.account_id
    left join notice_settings n on n.account_id = s.account_id
    left join teams t on s.scope = 'team:' || t.id and t.account_id = s.account_id
    left join members m on s.scope = 'member:' || m.id and m.account_id = s.account_id and m.ended_at is null
    left join users u on u.id = m.user_id
    cross join lateral (values ('total', s.total_nano_usd), ('day', s.day_nano_usd),
      ('month', s.month_nano_usd)) as c(period, budget)
    join scope_spend p on p.account_id = s.account_id and p.scope = s.scope and p.period = c.period
      and p.period_start = period_start(c.period, account_local(s.account_id, now()))
    where c.budget > 0 and (s.scope = 'account' or t.id is not null or m.id is not null)
      and p.spent_nano_usd::numeric * 100 >= c.budget::numeric *
        case when n.account_id is null then ${String(NOTICE_DEFAULTS.budgetPercent)} else n.budget_percent end
      and not exists (select from sent_notices x where x.kind = 'shared_budget' and x.subject_id = s.account_id
        and x.period = c.period || ' ' || p.period_start::text || ' ' || c.budget::text || ' ' || s.scope)
    limit ${String(BATCH)}),
  told as (
    insert into sent_notices (kind, subject_id, period, account_id)
    select 'shared_budget', account_id, mark, account_id from used
    on conflict do nothing returning subject_id, period)
  select u.account_id as "accountId", u.kind as scope, u.name, u.period, u.spent as "spentNanoUsd", u.budget as "budgetNanoUsd"
  from used u join told t on t.subject_id = u.account_id and t.period = u.mark`;

/**
 * Plans that end soon and will not renew: renewal is off, or the balance does not cover it. Of a
 * short plan no earlier than in the second half of its period, or it would be reported with the
 * purchase.
 */
const ENDING_PLANS = `
  with ending as (
    select s.id, s.account_id, p.name, s.ends_at, case when s.renews then p.price_nano_usd end as unpaid
    from subscriptions s
    join plans p on p.id = s.plan_id
    join accounts a on a.id = s.account_id
    left join notice_settings n on n.account_id = s.account_id
    where s.status = 'active' and s.ends_at > now() and (n.account_id is null or n.plan_ending_days is not null)
      and s.ends_at <= now() + least(
        case when n.account_id is null then ${String(NOTICE_DEFAULTS.planEndingDays)} else n.plan_ending_days end,
        p.period_days / 2.0) * interval '1 day'
      and (not s.renews or (p.status = 'active' and a.balance_nano_usd < p.price_nano_usd))
      and not exists (select from sent_notices t where t.kind = 'plan_ending' and t.subject_id = s.id
        and t.period = s.ends_at::text)
    limit ${String(BATCH)}),
  told as (
    insert into sent_notices (kind, subject_id, period, account_id)
    select 'plan_ending', id, ends_at::text, account_id from ending
    on conflict do nothing returning subject_id)
  select e.account_id as "accountId", e.name as "planName", e.ends_at as "endsAt", e.unpaid as "unpaidNanoUsd"
  from ending e join told t on t.subject_id = e.id`;

interface LowRow {
  readonly accountId: string;
  readonly balanceNanoUsd: number;
  readonly thresholdNanoUsd: number;
}

interface BudgetRow {
  readonly accountId: string;
  readonly keyName: string;
  readonly period: 'total' | 'day' | 'month';
  readonly spentNanoUsd: number;
  readonly budgetNanoUsd: number;
}

interface SharedBudgetRow extends Omit<BudgetRow, 'keyName'> {
  readonly scope: BudgetView['kind'];
  readonly name: string;
}

interface EndingRow {
  readonly accountId: string;
  readonly planName: string;
  readonly endsAt: Date;
  readonly unpaidNanoUsd: number | null;
}

export async function findLowBalances(db: Database): Promise<Notice[]> {
  await db.query(NO_LONGER_LOW);
  return (await db.query<LowRow>(LOW_BALANCES)).rows.map((row) => ({
    accountId: row.accountId,
    news: {
      kind: 'low_balance',
      balanceUsd: decimalFromNanoUsd(row.balanceNanoUsd),
      thresholdUsd: decimalFromNanoUsd(row.thresholdNanoUsd),
    },
  }));
}

export async function findKeyBudgets(db: Database): Promise<Notice[]> {
  return (await db.query<BudgetRow>(KEY_BUDGETS)).rows.map((row) => ({
    accountId: row.accountId,
    news: {
      kind: 'key_budget',
      keyName: row.keyName,
      period: row.period,
      spentUsd: decimalFromNanoUsd(row.spentNanoUsd),
      budgetUsd: decimalFromNanoUsd(row.budgetNanoUsd),
    },
  }));
}

export async function findSharedBudgets(db: Database): Promise<Notice[]> {
  return (await db.query<SharedBudgetRow>(SHARED_BUDGETS)).rows.map((row) => ({
    accountId: row.accountId,
    news: {
      kind: 'shared_budget',
      scope: row.scope,
      name: row.name,
      period: row.period,
      spentUsd: decimalFromNanoUsd(row.spentNanoUsd),
      budgetUsd: decimalFromNanoUsd(row.budgetNanoUsd),
    },
  }));
}

export async function findEndingPlans(db: Database): Promise<Notice[]> {
  return (await db.query<EndingRow>(ENDING_PLANS)).rows.map((row) => ({
    accountId: row.accountId,
    news: {
      kind: 'plan_ending',
      planName: row.planName,
      endsAt: row.endsAt,
      unpaidUsd: row.unpaidNanoUsd === null ? null : decimalFromNanoUsd(row.unpaidNanoUsd),
    },
  }));
}
