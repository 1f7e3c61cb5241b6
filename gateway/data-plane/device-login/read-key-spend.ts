import type pg from 'pg';
import type { KeySpend, SpendCap } from '../../protocols/tool-replies.ts';

/**
 * The limits of a key's spending and of those above it, with what is spent of each. Of a plan,
 * windows that are not used up: the balance pays what comes after.
 */
const CAPS = `
  with k as (
    select k.*, coalesce(k.team_id, m.team_id) as shared_team_id,
      account_local(k.account_id, now()) as local, account_calendar(k.account_id, now()) as calendar
    from keys k left join members m on m.id = k.member_id where k.id = $1
  ),
  budgets as (
    select k.id, k.account_id, 'key' as scope, 'key' as kind, limits.* from k
    cross join lateral (values ('total', k.budget_total_nano_usd), ('day', k.budget_day_nano_usd),
      ('month', k.budget_month_nano_usd)) limits(period, nano_usd)
    union all
    select k.id, k.account_id, b.scope, split_part(b.scope, ':', 1), limits.* from k
    join spend_budgets b on b.account_id = k.account_id
      and b.scope in ('account', 'team:' || k.shared_team_id, 'member:' || k.member_id)
    cross join lateral (values ('total', b.total_nano_usd), ('day', b.day_nano_usd), ('month', b.month_nano_usd))
      limits(period, nano_usd)
  )
  select b.kind, b.period, b.nano_usd as "limitNanoUsd",
    coalesce(case when b.kind = 'key'
      then (select spent_nano_usd from key_spend s where s.key_id = b.id and s.period = b.period
        and s.period_start = period_start(b.period, k.local))
      else (select spent_nano_usd from scope_spend s where s.account_id = b.account_id and s.scope = b.scope
        and s.period = b.period and s.period_start = period_start(b.period, k.local)) end, 0) as "spentNanoUsd",
    local_moment(k.calendar, to_ms(period_end(b.period, k.local))) as "resetsAtMs"
  from budgets b join k on true where b.nano_usd is not null
  union all
  select 'plan', a."window", a."limitNanoUsd", coalesce(u.used_nano_usd, 0),
    to_ms(window_end(a."window", s.started_at, now()))
  from k join subscriptions s on s.account_id = k.account_id and s.status <> 'ended' and s.ends_at > now()
    and k.group_id = any (s.group_ids)
  cross join lateral jsonb_to_recordset(s.allowances) as a("window" text, "limitNanoUsd" bigint)
  left join subscription_windows u on u.subscription_id = s.id and u.allowance_window = a."window"
    and u.period_start = window_start(a."window", s.started_at, now())
  where coalesce(u.used_nano_usd, 0) < a."limitNanoUsd"`;

const SPENT = `
  select
    coalesce(sum(s.spent_nano_usd) filter (where s.period = 'day' and s.period_start = period_start('day', n.local)), 0)::bigint as "dayNanoUsd",
    coalesce(sum(s.spent_nano_usd) filter (where s.period = 'day' and s.period_start >= period_start('week', n.local)), 0)::bigint as "weekNanoUsd",
    coalesce(sum(s.spent_nano_usd) filter (where s.period = 'month' and s.period_start = period_start('month', n.local)), 0)::bigint as "monthNanoUsd"
  from keys k cross join lateral (select account_local(k.account_id, now()) as local) n
  left join key_spend s on s.key_id = k.id and s.period_start >= n.local - interval '32 days'
  where k.id = $1`;

function usedPart({ spentNanoUsd, limitNanoUsd }: SpendCap): number {
  return limitNanoUsd === 0 ? 1 : spentNanoUsd / limitNanoUsd;
}

/** Reads what a key may spend and has spent, as PostgreSQL knows it. */
export async function readKeySpend(pool: pg.Pool, keyId: string): Promise<KeySpend> {
  const caps = await pool.query<SpendCap>({ name: 'key-caps', text: CAPS, values: [keyId] });
  const spent = await pool.query<Omit<KeySpend, 'caps'>>({
    name: 'key-spent',
    text: SPENT,
    values: [keyId],
  });
  const [sums = { dayNanoUsd: 0, weekNanoUsd: 0, monthNanoUsd: 0 }] = spent.rows;
  return { ...sums, caps: caps.rows.toSorted((one, other) => usedPart(other) - usedPart(one)) };
}
