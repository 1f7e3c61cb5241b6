-- Counts new records of members, of teams and of accounts that have a budget. `records` is an array
-- of {"id": requestId, "at": createdAt}. Apart from enter_usage, so that other accounts pay nothing.
create or replace function count_shared_usage(records jsonb) returns void
language sql as $$
  with added as materialized (
    select r.* from jsonb_to_recordset(records) as record(id uuid, at timestamptz)
    join usage_records r on r.request_id = record.id and r.created_at = record.at
  ), daily as (
    insert into usage_member_days as d (account_id, day, member_id, team_id, key_id, model, group_id, requests, input_tokens,
      cached_input_tokens, output_tokens, cost_nano_usd, balance_nano_usd, subscription_nano_usd, uncollected_nano_usd)
    select account_id, (created_at at time zone 'UTC')::date, coalesce(member_id, 0), coalesce(team_id, 0), key_id, model, group_id,
      count(*), sum(input_tokens), sum(cached_input_tokens), sum(output_tokens), sum(cost_nano_usd),
      sum(balance_nano_usd), sum(subscription_nano_usd), sum(uncollected_nano_usd)
    from added where member_id is not null or team_id is not null group by 1, 2, 3, 4, 5, 6, 7
    on conflict (account_id, day, member_id, team_id, key_id, model, group_id) do update set
      requests = d.requests + excluded.requests,
      input_tokens = d.input_tokens + excluded.input_tokens,
      cached_input_tokens = d.cached_input_tokens + excluded.cached_input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens,
      cost_nano_usd = d.cost_nano_usd + excluded.cost_nano_usd,
      balance_nano_usd = d.balance_nano_usd + excluded.balance_nano_usd,
      subscription_nano_usd = d.subscription_nano_usd + excluded.subscription_nano_usd,
      uncollected_nano_usd = d.uncollected_nano_usd + excluded.uncollected_nano_usd
  )
  insert into scope_spend as s (account_id, scope, period, period_start, spent_nano_usd)
    select account_id, scope, period, period_start(period, day), sum(nano_usd)
    from (
      select a.account_id, shares.scope, sum(a.balance_nano_usd + a.subscription_nano_usd) as nano_usd,
        date_trunc('day', coalesce((a.settled_at at time zone z.zone) at time zone 'UTC', a.settled_at), 'UTC') as day
      from added a
      join accounts c on c.id = a.account_id
      left join account_time_zones z on z.account_id = a.account_id and z.since <= a.settled_at and a.settled_at < z.until
      cross join lateral (values
        (case when c.budgeted then 'account' end), ('team:' || a.team_id), ('member:' || a.member_id)) as shares(scope)
      where shares.scope is not null
      group by 1, 2, 4
    ) by_day cross join unnest(array['total', 'day', 'month']) as period
    where nano_usd > 0
    group by 1, 2, 3, 4
    on conflict (account_id, scope, period, period_start) do update set spent_nano_usd = s.spent_nano_usd + excluded.spent_nano_usd;
$$;

-- Counts what the account has spent so far, for its first budget: from then on enter_usage counts
-- it. Call it while the account's row is locked, so that no usage arrives in between.
create or replace function count_account_spend(p_account_id uuid) returns void
language sql as $$
  insert into scope_spend as s (account_id, scope, period, period_start, spent_nano_usd)
    select p_account_id, 'account', k.period, k.period_start, sum(k.spent_nano_usd)
    from key_spend k
    where k.key_id in (select key_id from usage_daily where account_id = p_account_id) group by k.period, k.period_start
    on conflict (account_id, scope, period, period_start) do update set spent_nano_usd = excluded.spent_nano_usd;
$$;
