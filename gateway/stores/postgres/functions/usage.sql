-- The status of a usage record under its present name. Records inserted by versions before 0.2, their
-- entries that still wait in Redis, and those of their gateways during an upgrade have former names.
-- Stored records keep theirs: renaming them would rewrite a large table at startup.
create or replace function usage_status(status text) returns text
language sql immutable as $$
  select case status
    when 'client_gone' then 'client_disconnected'
    when 'upstream_broke' then 'upstream_disconnected'
    when 'money_ran_out' then 'funds_exhausted'
    when 'ledger_away' then 'ledger_unavailable'
    else status end;
$$;

-- The former name of a status, for searches by index; null when it has none.
create or replace function former_usage_status(status text) returns text
language sql immutable as $$
  select case status
    when 'client_disconnected' then 'client_gone'
    when 'upstream_disconnected' then 'upstream_broke'
    when 'funds_exhausted' then 'money_ran_out'
    when 'ledger_unavailable' then 'ledger_away' end;
$$;

-- Inserts usage records, each once, and everything that follows from them, in one transaction.
-- `entries` is an array of objects with the members of the type usage_entry (migration 0037): those
-- of a UsageRecord, and
--   "partition": 7, "epoch": 3,            (both null without Redis: the ledger is this database)
--   "settledAtMs", "balanceNanoUsd", "uncollectedNanoUsd",
--   "subscriptions": [{"id", "startedAtMs", "amountNanoUsd"}]
-- Returns how many records were new. A record that exists changes nothing.
--
-- It takes json of one level: from text straight to columns, a record costs a quarter less than as
-- jsonb, which makes a decimal number of each number first.
--
-- With `recover`, the store that has charged these records is lost, so the ledger receives the
-- charge as a credit of kind recovered_usage. The same applies to entries of an earlier epoch: the
-- store was lost after the entry was read, and its successor may have loaded the account without
-- this charge.
create or replace function enter_usage(entries json, recover boolean) returns integer
language plpgsql as $$
declare
  this_batch bigint := nextval('usage_batches');
  batch usage_entry[] := array(select entry from json_populate_recordset(null::usage_entry, entries) entry);
  inserted integer;
  lost jsonb;
  budgeted_accounts uuid[];
  shared jsonb;
begin
  if exists (select from unnest(batch) where tokens is not null) then return enter_usage(flat_usage(entries::jsonb), recover); end if;
  -- Shared: the epoch cannot change while a batch that relies on it is being inserted.
  perform from ledger_epochs where partition in (select partition from unnest(batch)) order by partition for share;
  -- Redis is ahead of Postgres: this database was restored from a backup. To insert the usage would
  -- charge twice what the backup lacks.
  if exists (select from unnest(batch) i join ledger_epochs e on e.partition = i.partition where i.epoch > e.epoch) then
    raise exception 'Redis is in a later epoch than this database, which seems to have lost data (see ledger_epochs)'
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- In the order of accounts, so that batches wait for each other instead of deadlocking.
  select array_agg(id) filter (where budgeted) into budgeted_accounts from (
    select id, budgeted from accounts where id in (select "accountId" from unnest(batch)) order by id for no key update) locked;

  with incoming as (
    select distinct on ("requestId") i.*, recover or (i.partition is not null and i.epoch is distinct from e.epoch) as is_recovered
    from unnest(batch) i left join ledger_epochs e on e.partition = i.partition
  ), added as (
    insert into usage_records (
      request_id, created_at, account_id, key_id, group_id, model, channel_id, status, http_status, stream,
      input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
      input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd, per_call_nano_usd,
      multiplier_ppm, cost_nano_usd, balance_nano_usd, subscription_nano_usd, uncollected_nano_usd, subscriptions,
      estimated, capped, attempts, latency_ms, first_byte_ms, settled_at, recovered, batch,
      extra_meters, extra_prices, protocol, upstream_protocol, tier, upstream_cost_nano_usd, member_id, team_id)
    select "requestId", from_ms("createdAtMs"), "accountId", "keyId", "groupId", model, "channelId", usage_status(status), "httpStatus", stream,
      input, "cachedInput", "cacheWrite", output, reasoning,
      "inputNanoUsd", "cachedInputNanoUsd", "cacheWriteNanoUsd", "outputNanoUsd", "perCallNanoUsd",
      "multiplierPpm", "costNanoUsd", "balanceNanoUsd",
      case when subscriptions <> '[]' then (select sum((s ->> 'amountNanoUsd')::bigint) from jsonb_array_elements(subscriptions) s) else 0 end,
      "uncollectedNanoUsd", nullif(subscriptions, '[]'), estimated, capped, attempts, "latencyMs", "firstByteMs", from_ms("settledAtMs"), is_recovered, this_batch,
      "extraMeters", "extraPrices", protocol, "upstreamProtocol", tier, "upstreamCostNanoUsd", "memberId", "teamId"
    from incoming
    on conflict do nothing
    returning request_id, created_at, settled_at, account_id, key_id, group_id, model, channel_id, input_tokens, cached_input_tokens,
      cache_write_tokens, output_tokens, reasoning_tokens, cost_nano_usd, balance_nano_usd, subscription_nano_usd, uncollected_nano_usd,
      upstream_cost_nano_usd, subscriptions, recovered, member_id, team_id
  ), daily as (
    insert into usage_daily as d (day, account_id, key_id, model, group_id, requests, input_tokens, cached_input_tokens,
      cache_write_tokens, output_tokens, reasoning_tokens, cost_nano_usd, balance_nano_usd, subscription_nano_usd, uncollected_nano_usd)
    select (created_at at time zone 'UTC')::date, account_id, key_id, model, group_id, count(*), sum(input_tokens),
      sum(cached_input_tokens), sum(cache_write_tokens), sum(output_tokens), sum(reasoning_tokens), sum(cost_nano_usd),
      sum(balance_nano_usd), sum(subscription_nano_usd), sum(uncollected_nano_usd)
    from added group by 1, 2, 3, 4, 5
    on conflict (account_id, day, key_id, model, group_id) do update set
      requests = d.requests + excluded.requests,
      input_tokens = d.input_tokens + excluded.input_tokens,
      cached_input_tokens = d.cached_input_tokens + excluded.cached_input_tokens,
      cache_write_tokens = d.cache_write_tokens + excluded.cache_write_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens,
      reasoning_tokens = d.reasoning_tokens + excluded.reasoning_tokens,
      cost_nano_usd = d.cost_nano_usd + excluded.cost_nano_usd,
      balance_nano_usd = d.balance_nano_usd + excluded.balance_nano_usd,
      subscription_nano_usd = d.subscription_nano_usd + excluded.subscription_nano_usd,
      uncollected_nano_usd = d.uncollected_nano_usd + excluded.uncollected_nano_usd
  ), margins as (
    insert into margin_entries (day, account_id, model, channel_id, requests, balance_nano_usd, subscription_nano_usd,
      uncollected_nano_usd, known_requests, known_balance_nano_usd, known_subscription_nano_usd, upstream_cost_nano_usd)
    select (created_at at time zone 'UTC')::date, account_id, model, channel_id, count(*), sum(balance_nano_usd),
      sum(subscription_nano_usd), sum(uncollected_nano_usd), count(upstream_cost_nano_usd),
      coalesce(sum(balance_nano_usd) filter (where upstream_cost_nano_usd is not null), 0),
      coalesce(sum(subscription_nano_usd) filter (where upstream_cost_nano_usd is not null), 0),
      coalesce(sum(upstream_cost_nano_usd), 0)
    from added group by 1, 2, 3, 4
  ), spent as (
    insert into key_spend as k (key_id, period, period_start, spent_nano_usd)
    select key_id, period, period_start(period, day), sum(nano_usd)
    from (
      -- As account_local does, without a function call per record.
      select a.key_id, sum(a.balance_nano_usd + a.subscription_nano_usd) as nano_usd,
        date_trunc('day', coalesce((a.settled_at at time zone z.zone) at time zone 'UTC', a.settled_at), 'UTC') as day
      from added a
      left join account_time_zones z on z.account_id = a.account_id and z.since <= a.settled_at and a.settled_at < z.until
      group by 1, 3
    ) by_day cross join unnest(array['total', 'day', 'month']) as period
    where nano_usd > 0
    group by 1, 2, 3
    on conflict (key_id, period, period_start) do update set spent_nano_usd = k.spent_nano_usd + excluded.spent_nano_usd
  ), used as (
    insert into subscription_windows as w (subscription_id, allowance_window, period_start, used_nano_usd)
    select s.id, allowance_window, window_start(allowance_window, from_ms(s."startedAtMs"), a.settled_at), sum(s."amountNanoUsd")
    from added a
    cross join lateral jsonb_to_recordset(a.subscriptions) as s(id uuid, "startedAtMs" bigint, "amountNanoUsd" bigint)
    cross join unnest(array['5h', 'day', 'week', 'month']) as allowance_window
    where a.subscription_nano_usd > 0
    group by 1, 2, 3
    on conflict (subscription_id, allowance_window, period_start)
      do update set used_nano_usd = w.used_nano_usd + excluded.used_nano_usd
  ), last_used as (
    update keys set last_used_at = greatest(last_used_at, newest.at)
    from (select key_id, max(created_at) as at from added group by key_id) newest
    where keys.id = newest.key_id
  ), by_account as (
    select account_id, sum(case when recovered then 0 else balance_nano_usd end) as balance,
      sum(subscription_nano_usd) as subscription, sum(uncollected_nano_usd) as uncollected
    from added group by account_id
  ), charged as (
    update accounts set balance_nano_usd = accounts.balance_nano_usd - balance
    from by_account where id = account_id and balance > 0
  ), posted as (
    insert into journal_entries (account_id, debit, credit, amount_nano_usd, reference)
    select account_id, debit, 'revenue', amount, 'usage:' || this_batch
    from by_account cross join lateral (values
      ('customer_balance', balance), ('subscription_allowance', subscription), ('uncollected', uncollected)) as part(debit, amount)
    where amount > 0
    order by account_id, debit
  )
  select count(*), coalesce(
      jsonb_agg(jsonb_build_array(account_id, request_id, balance_nano_usd) order by account_id, request_id)
        filter (where recovered and balance_nano_usd + subscription_nano_usd > 0), '[]'),
      jsonb_agg(jsonb_build_object('id', request_id, 'at', created_at))
        filter (where member_id is not null or team_id is not null or account_id = any (budgeted_accounts))
    into inserted, lost, shared from added;

  if shared is not null then
    perform count_shared_usage(shared);
  end if;

  perform charge_recovered_usage((charge ->> 0)::uuid, (charge ->> 1)::uuid, (charge ->> 2)::bigint)
    from jsonb_array_elements(lost) charge;
  return inserted;
end
$$;

-- Charges by a negative credit with the next sequence of the account, which the ledger applies
-- exactly once: with the account's load or after it. Subscriptions may have paid everything; then
-- the amount is 0, and the ledger counts the usage of the record when it applies the credit.
create or replace function charge_recovered_usage(p_account_id uuid, p_request_id uuid, p_amount_nano_usd bigint) returns void
language plpgsql as $$
declare
  next_sequence bigint;
begin
  update accounts set balance_nano_usd = balance_nano_usd - p_amount_nano_usd,
      credit_sequence = credit_sequence + 1, updated_at = now()
    where id = p_account_id
    returning credit_sequence into next_sequence;
  insert into credits (account_id, sequence, entry_id, amount_nano_usd, kind, reason, actor)
    values (p_account_id, next_sequence, 'recovered:' || p_request_id, -p_amount_nano_usd, 'recovered_usage',
      'Usage that the ledger''s store lost before it was booked.', 'system');
  if p_amount_nano_usd > 0 then
    insert into journal_entries (account_id, debit, credit, amount_nano_usd, reference)
      values (p_account_id, 'customer_balance', 'revenue', p_amount_nano_usd, 'recovered:' || p_request_id);
  end if;
end
$$;

-- Entries in their former form, for enter_usage. Before revision 5 of the functions, tokens and
-- prices were members of a record, and record and charge were members of an entry. Records may still
-- wait in Redis like that, and gateways of that time run during an upgrade.
create or replace function flat_usage(entries jsonb) returns json
language sql immutable as $$
  select json_agg(entry - array['record', 'charge', 'tokens', 'prices'] || record - array['tokens', 'prices'] || charge
    || tokens - 'extra' || prices - 'extra'
    || jsonb_strip_nulls(jsonb_build_object('extraMeters', tokens -> 'extra', 'extraPrices', prices -> 'extra')))
  from jsonb_array_elements(entries) entry
  cross join lateral (select coalesce(entry -> 'record', entry) as record, coalesce(entry -> 'charge', '{}') as charge) e
  cross join lateral (select coalesce(record -> 'tokens', '{}') as tokens, coalesce(record -> 'prices', '{}') as prices) r;
$$;

-- What gateways of that time call.
create or replace function apply_usage(entries jsonb) returns integer
language sql as $$ select enter_usage(flat_usage(entries), false); $$;

create or replace function recover_usage(entries jsonb) returns integer
language sql as $$ select enter_usage(flat_usage(entries), true); $$;
