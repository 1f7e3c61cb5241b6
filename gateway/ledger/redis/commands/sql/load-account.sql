-- Everything that Redis needs to load an account. One statement, so that balance and sequence match.
-- $1 account, $2 keys (uuid[]), $3 subscriptions (JSON: [{"id", "startedAtMs"}]), $4 partition, $5 scopes (text[])
select
  a.balance_nano_usd as "balanceNanoUsd",
  a.credit_sequence as "creditSequence",
  (select epoch from ledger_epochs where partition = $4) as epoch,
  to_jsonb(account_calendar(a.id, now())) as calendar,
  (select entered_ms || '-' || entered_sequence from ledger_epochs where partition = $4) as entered,
  (
    select coalesce(jsonb_agg(jsonb_build_object('id', wanted.scope, 'periods', (
      select jsonb_object_agg(newest.period, jsonb_build_array(to_ms(newest.period_start), newest.spent_nano_usd))
      from (
        select distinct on (period) period, period_start, spent_nano_usd from scope_spend
        where account_id = a.id and scope = wanted.scope order by period, period_start desc
      ) newest
    ))), '[]')
    from unnest($5::text[]) as wanted(scope)
  ) as scopes,
  (
    select coalesce(jsonb_agg(jsonb_build_object('id', wanted.id, 'periods', (
      select jsonb_object_agg(newest.period, jsonb_build_array(to_ms(newest.period_start), newest.spent_nano_usd))
      from (
        select distinct on (period) period, period_start, spent_nano_usd from key_spend
        where key_id = wanted.id order by period, period_start desc
      ) newest
    ))), '[]')
    from unnest($2::uuid[]) as wanted(id)
  ) as keys,
  (
    select coalesce(jsonb_agg(jsonb_build_object('id', wanted.id, 'startedAtMs', wanted."startedAtMs", 'windows', (
      select jsonb_object_agg(newest.allowance_window, jsonb_build_array(to_ms(newest.period_start), newest.used_nano_usd))
      from (
        select distinct on (allowance_window) allowance_window, period_start, used_nano_usd from subscription_windows
        where subscription_id = wanted.id order by allowance_window, period_start desc
      ) newest
    ))), '[]')
    from jsonb_to_recordset($3::jsonb) as wanted(id uuid, "startedAtMs" bigint)
  ) as subscriptions
from accounts a
where a.id = $1;
