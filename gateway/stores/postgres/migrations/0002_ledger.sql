-- The book of usage, what the ledger keeps in Postgres when there is no Redis, and what joins the two.

-- Amounts are exact in JavaScript and Lua up to 2^53 - 1; what would go beyond is refused.
alter table accounts add constraint accounts_balance_exact
  check (balance_nano_usd between -9007199254740991 and 9007199254740991);

-- Epochs ------------------------------------------------------------------------------------------
-- Which life of the ledger's store each partition of Redis is in. A partition whose store lost its data gets the next
-- epoch; what belongs to an earlier one is then told apart (see gateway/ledger/redis/restore-epoch.ts).
create table ledger_epochs (
  partition smallint primary key check (partition between 0 and 63),
  epoch bigint not null default 0
);

insert into ledger_epochs (partition) select generate_series(0, 63);

-- Windows -----------------------------------------------------------------------------------------
-- Start of the allowance window that a time is in, counted from the subscription's start. Months keep the day of the
-- month, or take the month's last day. The Lua twin is gateway/ledger/redis/lua/calendar.lua; one test compares them.
create function window_start(allowance_window text, started_at timestamptz, at timestamptz) returns timestamptz
language plpgsql immutable as $$
declare
  length_ms bigint := case allowance_window when '5h' then 18000000 when 'day' then 86400000 when 'week' then 604800000 end;
  started timestamp := started_at at time zone 'UTC';
  moment timestamp := at at time zone 'UTC';
  months integer;
begin
  if at < started_at then
    return started_at;
  end if;
  if length_ms is not null then
    return started_at
      + (floor(extract(epoch from at - started_at) * 1000 / length_ms) * length_ms)::double precision * interval '1 millisecond';
  end if;
  months := (extract(year from moment) - extract(year from started)) * 12
    + extract(month from moment) - extract(month from started);
  if started + make_interval(months => months) > moment then
    months := months - 1;
  end if;
  return (started + make_interval(months => months)) at time zone 'UTC';
end
$$;

create function window_end(allowance_window text, started_at timestamptz, at timestamptz) returns timestamptz
language plpgsql immutable as $$
declare
  length_ms bigint := case allowance_window when '5h' then 18000000 when 'day' then 86400000 when 'week' then 604800000 end;
  started timestamp := started_at at time zone 'UTC';
  window_started timestamp := window_start(allowance_window, started_at, at) at time zone 'UTC';
  months integer;
begin
  if length_ms is not null then
    return window_start(allowance_window, started_at, at) + length_ms * interval '1 millisecond';
  end if;
  months := (extract(year from window_started) - extract(year from started)) * 12
    + extract(month from window_started) - extract(month from started);
  return (started + make_interval(months => months + 1)) at time zone 'UTC';
end
$$;

-- Start of the UTC period that a time is in; a key's budget periods.
create function period_start(period text, at timestamptz) returns timestamptz
language sql immutable as $$
  select case when period = 'total' then timestamptz '1970-01-01 00:00:00+00'
    else date_trunc(period, at at time zone 'UTC') at time zone 'UTC' end;
$$;

-- Milliseconds since 1970 and back, exact.
create function from_ms(ms bigint) returns timestamptz
language sql immutable as $$
  select timestamptz '1970-01-01 00:00:00+00' + ms * interval '1 millisecond';
$$;

create function to_ms(at timestamptz) returns bigint
language sql immutable as $$
  select floor(extract(epoch from at) * 1000)::bigint;
$$;

-- Usage -------------------------------------------------------------------------------------------
-- One row per request, written once, never changed.
create table usage_records (
  request_id uuid not null,
  -- Admission time from the record itself, so that a record that arrives twice meets itself.
  created_at timestamptz not null,
  account_id uuid not null,
  key_id uuid not null,
  group_id uuid not null,
  model text not null,
  channel_id uuid,
  status text not null,
  http_status smallint not null,
  stream boolean not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  input_nano_usd bigint not null,
  cached_input_nano_usd bigint not null,
  cache_write_nano_usd bigint not null,
  output_nano_usd bigint not null,
  per_call_nano_usd bigint not null,
  multiplier_ppm bigint not null,
  cost_nano_usd bigint not null,
  -- balance + subscription + uncollected = cost.
  balance_nano_usd bigint not null,
  subscription_nano_usd bigint not null,
  uncollected_nano_usd bigint not null,
  -- Which subscriptions paid: [{"id", "startedAtMs", "amountNanoUsd"}], null when none did.
  subscriptions jsonb,
  estimated boolean not null,
  capped boolean not null,
  attempts smallint not null,
  latency_ms integer not null,
  first_byte_ms integer,
  settled_at timestamptz not null,
  -- Charged through a credit of kind recovered_usage, because the ledger's store had been lost.
  recovered boolean not null,
  -- The batch that brought it; journal entries name it as usage:<batch>.
  batch bigint not null,
  primary key (request_id, created_at)
) partition by range (created_at);

create index usage_records_account on usage_records (account_id, created_at desc, request_id desc);
create index usage_records_key on usage_records (key_id, created_at desc, request_id desc);

-- Keeps rows whose month has no partition yet; ensure_usage_partitions makes months ahead of time.
create table usage_records_default partition of usage_records default;

create sequence usage_batches;

-- Makes the partitions of this month and the next ones; answers how many it made. A month for which the default partition
-- already has rows is left to it.
create function ensure_usage_partitions(months_ahead integer) returns integer
language plpgsql as $$
declare
  month timestamp := date_trunc('month', now() at time zone 'UTC');
  made integer := 0;
  name text;
begin
  -- One maker at a time: gateways start together.
  perform pg_advisory_xact_lock(7318349394477057);
  for step in 0 .. months_ahead loop
    name := 'usage_records_' || to_char(month, 'YYYY_MM');
    if to_regclass(name) is null and not exists (
      select from usage_records_default
        where created_at >= month at time zone 'UTC' and created_at < (month + interval '1 month') at time zone 'UTC'
    ) then
      execute format('create table %I partition of usage_records for values from (%L) to (%L)',
        name, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
      made := made + 1;
    end if;
    month := month + interval '1 month';
  end loop;
  return made;
end
$$;

select ensure_usage_partitions(2);

-- Sums per UTC day of created_at, for the console's graphs.
create table usage_daily (
  day date not null,
  account_id uuid not null,
  key_id uuid not null,
  model text not null,
  group_id uuid not null,
  requests bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  cost_nano_usd bigint not null,
  balance_nano_usd bigint not null,
  subscription_nano_usd bigint not null,
  uncollected_nano_usd bigint not null,
  primary key (account_id, day, key_id, model, group_id)
);

create index usage_daily_day on usage_daily (day);

-- What a key has spent, from balance and subscriptions, per budget period of settled_at. `total` starts in 1970.
create table key_spend (
  key_id uuid not null,
  period text not null check (period in ('total', 'day', 'month')),
  period_start timestamptz not null,
  spent_nano_usd bigint not null,
  primary key (key_id, period, period_start)
);

-- What was used of a subscription's allowances, per window of settled_at.
create table subscription_windows (
  subscription_id uuid not null,
  allowance_window text not null check (allowance_window in ('5h', 'day', 'week', 'month')),
  period_start timestamptz not null,
  used_nano_usd bigint not null,
  primary key (subscription_id, allowance_window, period_start)
);

-- Records that the book refused as malformed. They were charged in the ledger; reconcile shows the difference.
create table usage_rejected (
  id bigint generated always as identity primary key,
  entry text not null,
  reason text not null,
  at timestamptz not null default now()
);

-- Enters usage into the book: each record once, with everything that follows from it, in one transaction.
-- `entries` is an array of
--   {"partition": 7, "epoch": 3,            (both null: there is no Redis, the ledger is this database)
--    "record": UsageRecord,
--    "charge": {"settledAtMs", "balanceNanoUsd", "uncollectedNanoUsd",
--               "subscriptions": [{"id", "startedAtMs", "amountNanoUsd"}]}}
-- Answers how many were new. A record that is already there changes nothing.
--
-- `recover`: the ledger's store that charged these records is gone, so the ledger learns of the charge through a credit of kind
-- recovered_usage. The same happens to entries of an epoch that has passed: the partition's store was lost between reading
-- the entry and now, and its successor may have been loaded without it.
create function enter_usage(entries jsonb, recover boolean) returns integer
language plpgsql as $$
declare
  this_batch bigint := nextval('usage_batches');
  inserted integer;
  lost jsonb;
begin
  -- Shared: an epoch cannot pass while a batch that relies on it is being entered.
  perform from ledger_epochs
    where partition in (select (entry ->> 'partition')::smallint from jsonb_array_elements(entries) entry)
    order by partition for share;
  -- Redis ahead of Postgres: this database was restored from a backup. Entering usage would charge what it has forgotten twice.
  if exists (
    select from jsonb_to_recordset(entries) as i(partition smallint, epoch bigint)
      join ledger_epochs e on e.partition = i.partition where i.epoch > e.epoch
  ) then
    raise exception 'Redis is in a later epoch than this database, which seems to have lost data (see ledger_epochs)'
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- One order for all who lock accounts, so that batches wait for each other instead of deadlocking.
  perform from accounts
    where id in (select (entry -> 'record' ->> 'accountId')::uuid from jsonb_array_elements(entries) entry)
    order by id for no key update;

  with incoming as (
    select distinct on (r."requestId") r.*, c.*, recover or (
        partition is not null
        and epoch is distinct from (select e.epoch from ledger_epochs e where e.partition = i.partition)
      ) as is_recovered
    from jsonb_to_recordset(entries) as i(partition smallint, epoch bigint, record jsonb, charge jsonb)
    cross join lateral jsonb_to_record(i.record) as r(
      "requestId" uuid, "accountId" uuid, "keyId" uuid, "groupId" uuid, model text, "channelId" uuid, "createdAtMs" bigint,
      status text, "httpStatus" smallint, stream boolean, tokens jsonb, prices jsonb, "multiplierPpm" bigint,
      "costNanoUsd" bigint, estimated boolean, capped boolean, attempts smallint, "latencyMs" integer, "firstByteMs" integer)
    cross join lateral jsonb_to_record(i.charge) as c(
      "settledAtMs" bigint, "balanceNanoUsd" bigint, "uncollectedNanoUsd" bigint, subscriptions jsonb)
  ), added as (
    insert into usage_records (
      request_id, created_at, account_id, key_id, group_id, model, channel_id, status, http_status, stream,
      input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
      input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd, per_call_nano_usd,
      multiplier_ppm, cost_nano_usd, balance_nano_usd, subscription_nano_usd, uncollected_nano_usd, subscriptions,
      estimated, capped, attempts, latency_ms, first_byte_ms, settled_at, recovered, batch)
    select "requestId", from_ms("createdAtMs"), "accountId", "keyId", "groupId", model, "channelId", status, "httpStatus", stream,
      (tokens ->> 'input')::bigint, (tokens ->> 'cachedInput')::bigint, (tokens ->> 'cacheWrite')::bigint,
      (tokens ->> 'output')::bigint, (tokens ->> 'reasoning')::bigint,
      (prices ->> 'inputNanoUsd')::bigint, (prices ->> 'cachedInputNanoUsd')::bigint, (prices ->> 'cacheWriteNanoUsd')::bigint,
      (prices ->> 'outputNanoUsd')::bigint, (prices ->> 'perCallNanoUsd')::bigint,
      "multiplierPpm", "costNanoUsd", "balanceNanoUsd",
      coalesce((select sum((s ->> 'amountNanoUsd')::bigint) from jsonb_array_elements(subscriptions) s), 0),
      "uncollectedNanoUsd", nullif(subscriptions, '[]'), estimated, capped, attempts, "latencyMs", "firstByteMs", from_ms("settledAtMs"), is_recovered, this_batch
    from incoming
    on conflict do nothing
    returning *
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
  ), spent as (
    insert into key_spend as k (key_id, period, period_start, spent_nano_usd)
    select key_id, period, period_start(period, settled_at), sum(balance_nano_usd + subscription_nano_usd)
    from added cross join unnest(array['total', 'day', 'month']) as period
    where balance_nano_usd + subscription_nano_usd > 0
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
  ), charged as (
    update accounts set balance_nano_usd = accounts.balance_nano_usd - sums.balance
    from (select account_id, sum(balance_nano_usd) as balance from added where not recovered group by account_id) sums
    where accounts.id = sums.account_id and sums.balance > 0
  ), posted as (
    insert into journal_entries (account_id, debit, credit, amount_nano_usd, reference)
    select account_id, debit, 'revenue', sum(amount), 'usage:' || this_batch
    from added cross join lateral (values
      ('customer_balance', case when recovered then 0 else balance_nano_usd end),
      ('subscription_allowance', subscription_nano_usd),
      ('uncollected', uncollected_nano_usd)) as part(debit, amount)
    where amount > 0
    group by account_id, debit
    order by account_id, debit
  )
  select count(*), coalesce(
      jsonb_agg(jsonb_build_array(account_id, request_id, balance_nano_usd) order by account_id, request_id)
        filter (where recovered and balance_nano_usd + subscription_nano_usd > 0), '[]')
    into inserted, lost from added;

  perform charge_recovered_usage((charge ->> 0)::uuid, (charge ->> 1)::uuid, (charge ->> 2)::bigint)
    from jsonb_array_elements(lost) charge;
  return inserted;
end
$$;

-- A negative credit with the account's next sequence: it reaches the ledger exactly once, with the account's load or after it.
-- Also when subscriptions paid all, and the amount is 0: the ledger counts the record's usage with the credit.
create function charge_recovered_usage(p_account_id uuid, p_request_id uuid, p_amount_nano_usd bigint) returns void
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

create function apply_usage(entries jsonb) returns integer
language sql as $$ select enter_usage(entries, false); $$;

create function recover_usage(entries jsonb) returns integer
language sql as $$ select enter_usage(entries, true); $$;

-- The ledger in Postgres ----------------------------------------------------------------------------
-- Used when there is no Redis; empty otherwise. Same contract, same outcomes (gateway/ledger/ledger.ts). Every operation
-- locks the account's row first, so the operations of one account run one after another.
create table ledger_accounts (
  account_id uuid primary key,
  available_nano_usd bigint not null check (available_nano_usd >= 0),
  held_nano_usd bigint not null default 0 check (held_nano_usd >= 0),
  owed_nano_usd bigint not null default 0 check (owed_nano_usd >= 0),
  credit_sequence bigint not null,
  in_flight integer not null default 0 check (in_flight >= 0)
);

-- What keys have spent is in key_spend. Rate counters are a level and the time at which it was right (ledger_take_rate).
create table ledger_keys (
  key_id uuid primary key,
  in_flight integer not null default 0 check (in_flight >= 0),
  held_nano_usd bigint not null default 0 check (held_nano_usd >= 0),
  requests_level bigint not null default 0,
  requests_at_ms bigint not null default 0,
  tokens_level bigint not null default 0,
  tokens_at_ms bigint not null default 0
);

create table ledger_groups (
  account_id uuid not null,
  group_id uuid not null,
  requests_level bigint not null default 0,
  requests_at_ms bigint not null default 0,
  tokens_level bigint not null default 0,
  tokens_at_ms bigint not null default 0,
  primary key (account_id, group_id)
);

-- What was used is in subscription_windows.
create table ledger_subscriptions (
  subscription_id uuid primary key,
  held_nano_usd bigint not null default 0 check (held_nano_usd >= 0)
);

create table ledger_requests (
  request_id uuid primary key,
  -- open; settled, released, expired: closed, kept for a day to recognise repetitions.
  state text not null check (state in ('open', 'settled', 'released', 'expired')),
  account_id uuid not null,
  key_id uuid,
  group_id uuid,
  amount_nano_usd bigint,
  minimum_nano_usd bigint,
  tokens bigint,
  -- Held from the balance, and from subscriptions: [{"id", "startedAtMs", "amountNanoUsd"}].
  balance_nano_usd bigint not null default 0,
  parts jsonb not null default '[]',
  extension bigint not null default 0,
  -- Tokens per minute of the key and of the group when the hold was made; 0: no limit.
  key_tpm integer not null default 0,
  group_tpm integer not null default 0,
  expires_at timestamptz,
  closed_at timestamptz,
  -- What a settle charged.
  charged_balance_nano_usd bigint,
  charged_subscription_nano_usd bigint,
  uncollected_nano_usd bigint
);

create index ledger_requests_open on ledger_requests (expires_at) where state = 'open';
create index ledger_requests_closed on ledger_requests (closed_at) where state <> 'open';

create function parts_total(parts jsonb) returns bigint
language sql immutable as $$
  select coalesce(sum((part ->> 'amountNanoUsd')::bigint), 0)::bigint from jsonb_array_elements(parts) part;
$$;

-- Adds up two lists of parts by subscription, in the order of first appearance.
create function join_parts(parts jsonb, more jsonb) returns jsonb
language sql immutable as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'startedAtMs', started, 'amountNanoUsd', amount) order by place), '[]')
  from (
    select part ->> 'id' as id, min((part ->> 'startedAtMs')::bigint) as started,
      sum((part ->> 'amountNanoUsd')::bigint)::bigint as amount, min(ordinality) as place
    from jsonb_array_elements(parts || more) with ordinality as entry(part, ordinality)
    group by 1
  ) joined;
$$;

-- Brings the account, the key and the payer's subscriptions in, and locks the account. Null when Postgres does not know it.
create function ledger_lock_account(p_account_id uuid) returns ledger_accounts
language plpgsql as $$
declare
  account ledger_accounts;
begin
  select * into account from ledger_accounts where account_id = p_account_id for update;
  if not found then
    insert into ledger_accounts (account_id, available_nano_usd, owed_nano_usd, credit_sequence)
      select id, greatest(balance_nano_usd, 0), greatest(-balance_nano_usd, 0), credit_sequence
      from accounts where id = p_account_id
      on conflict do nothing;
    select * into account from ledger_accounts where account_id = p_account_id for update;
  end if;
  return account;
end
$$;

-- Money comes back or comes in: what is owed is paid first.
create function ledger_give(p_account_id uuid, p_amount bigint) returns void
language sql as $$
  update ledger_accounts set
      available_nano_usd = available_nano_usd + p_amount - least(available_nano_usd + p_amount, owed_nano_usd),
      owed_nano_usd = owed_nano_usd - least(available_nano_usd + p_amount, owed_nano_usd)
    where account_id = p_account_id;
$$;

-- Counts parts as held.
create function ledger_hold_parts(p_parts jsonb) returns void
language sql as $$
  insert into ledger_subscriptions as s (subscription_id, held_nano_usd)
    select (part ->> 'id')::uuid, sum((part ->> 'amountNanoUsd')::bigint)
    from jsonb_array_elements(p_parts) part group by 1
    on conflict (subscription_id) do update set held_nano_usd = s.held_nano_usd + excluded.held_nano_usd;
$$;

create function ledger_return_parts(p_parts jsonb) returns void
language sql as $$
  update ledger_subscriptions s set held_nano_usd = s.held_nano_usd - returned.amount
    from (select (part ->> 'id')::uuid as id, sum((part ->> 'amountNanoUsd')::bigint) as amount
      from jsonb_array_elements(p_parts) part group by 1) returned
    where s.subscription_id = returned.id;
$$;

-- Leaky bucket in whole numbers: the level is in 60,000ths of a request or token and sinks by the limit per minute every
-- millisecond. The Lua twin is rates.lua.
create function ledger_level(level bigint, at_ms bigint, per_minute integer, now_ms bigint) returns bigint
language sql immutable as $$
  select greatest(0, level - greatest(0, now_ms - at_ms) * per_minute);
$$;

-- `taken` is the level after taking `quantity`, or null and the wait; -1 when no wait is long enough.
create function ledger_take_rate(
  level bigint, at_ms bigint, quantity bigint, per_minute integer, now_ms bigint,
  out taken bigint, out wait_ms bigint
) language plpgsql immutable as $$
declare
  full_level bigint := per_minute::bigint * 60000;
  over bigint;
begin
  if quantity * 60000 > full_level then
    wait_ms := -1;
    return;
  end if;
  over := ledger_level(level, at_ms, per_minute, now_ms) + quantity * 60000 - full_level;
  if over > 0 then
    wait_ms := (over + per_minute - 1) / per_minute;
    return;
  end if;
  taken := over + full_level;
end
$$;

-- What a subscription's windows have left, and when the ones that leave less than `needed` reset.
create function ledger_windows(p_subscription jsonb, p_needed bigint, p_now timestamptz,
  out room bigint, out ready_at timestamptz, out possible boolean
) language plpgsql stable as $$
declare
  started timestamptz := from_ms((p_subscription ->> 'startedAtMs')::bigint);
  ends timestamptz := from_ms((p_subscription ->> 'endsAtMs')::bigint);
  held bigint := coalesce((select held_nano_usd from ledger_subscriptions where subscription_id = (p_subscription ->> 'id')::uuid), 0);
  allowance record;
begin
  possible := p_now < ends and jsonb_array_length(p_subscription -> 'allowances') > 0;
  ready_at := p_now;
  for allowance in
    select a."limitNanoUsd" as limit_nano_usd, window_end(a."window", started, p_now) as ends_at,
      coalesce((select used_nano_usd from subscription_windows w
        where w.subscription_id = (p_subscription ->> 'id')::uuid and w.allowance_window = a."window"
          and w.period_start = window_start(a."window", started, p_now)), 0) as used
    from jsonb_to_recordset(p_subscription -> 'allowances') as a("window" text, "limitNanoUsd" bigint)
  loop
    room := least(room, greatest(0, allowance.limit_nano_usd - allowance.used - held));
    if allowance.limit_nano_usd < p_needed then
      possible := false;
    end if;
    if allowance.limit_nano_usd - allowance.used - held < p_needed then
      ready_at := greatest(ready_at, allowance.ends_at);
    end if;
  end loop;
  if room is null or p_now >= ends or p_now < started then
    room := 0;
  end if;
  possible := possible and ready_at > p_now and ready_at < ends;
end
$$;

-- Splits an amount over the balance and the payer's subscriptions, in the account's order, as far as they reach.
create function ledger_split(p_available bigint, p_payer jsonb, p_amount bigint, p_now timestamptz,
  out balance bigint, out subscription bigint, out parts jsonb
) language plpgsql stable as $$
declare
  entry jsonb;
  part bigint;
  wanted bigint := p_amount;
begin
  balance := 0;
  subscription := 0;
  parts := '[]';
  if p_payer -> 'account' ->> 'preference' = 'balance_first' then
    balance := least(p_amount, p_available);
    wanted := p_amount - balance;
  end if;
  for entry in select value from jsonb_array_elements(p_payer -> 'subscriptions') loop
    exit when subscription >= wanted;
    part := least((ledger_windows(entry, 0, p_now)).room, wanted - subscription);
    if part > 0 then
      subscription := subscription + part;
      parts := parts || jsonb_build_array(jsonb_build_object(
        'id', entry ->> 'id', 'startedAtMs', (entry ->> 'startedAtMs')::bigint, 'amountNanoUsd', part));
    end if;
  end loop;
  if p_payer -> 'account' ->> 'preference' <> 'balance_first' then
    balance := least(p_amount - subscription, p_available);
  end if;
end
$$;

-- What the key's budgets leave, and the ms until a budget that left less than `minimum` resets (-1 never, 0 none did).
create function ledger_budget_room(p_key jsonb, p_held bigint, p_minimum bigint, p_now timestamptz,
  out room bigint, out wait_ms bigint
) language plpgsql stable as $$
declare
  budget record;
  remaining bigint;
begin
  room := 9007199254740991;
  wait_ms := 0;
  for budget in
    select b.period, b."limitNanoUsd" as limit_nano_usd,
      coalesce((select spent_nano_usd from key_spend s
        where s.key_id = (p_key ->> 'id')::uuid and s.period = b.period and s.period_start = period_start(b.period, p_now)), 0) as spent
    from jsonb_to_recordset(p_key -> 'budgets') as b(period text, "limitNanoUsd" bigint)
  loop
    remaining := greatest(0, budget.limit_nano_usd - budget.spent - p_held);
    room := least(room, remaining);
    if remaining < p_minimum then
      if budget.period = 'total' or budget.limit_nano_usd < p_minimum or wait_ms < 0 then
        wait_ms := -1;
      else
        wait_ms := greatest(wait_ms, ceil(extract(epoch from
          ((period_start(budget.period, p_now) at time zone 'UTC') + ('1 ' || budget.period)::interval) at time zone 'UTC' - p_now) * 1000));
      end if;
    end if;
  end loop;
end
$$;

-- The store's clock, to the millisecond. Tests move it: by `p_offset_ms`, or from 1e12 on to that very time.
create function ledger_now(p_offset_ms bigint) returns timestamptz
language sql volatile as $$
  select case when p_offset_ms < 1000000000000
    then date_trunc('milliseconds', clock_timestamp()) + p_offset_ms * interval '1 millisecond'
    else from_ms(p_offset_ms) end;
$$;

-- The request; its state is null when the ledger has never heard of it. One older than the memory counts as closed, because
-- nobody can tell any more whether it was.
create function ledger_find_request(p_request_id uuid, p_moment timestamptz, p_closed_memory_ms bigint) returns ledger_requests
language plpgsql stable as $$
declare
  known ledger_requests;
begin
  select * into known from ledger_requests where request_id = p_request_id;
  -- The first 48 bits of a UUID of version 7 are its time.
  if not found and ('x' || left(replace(p_request_id::text, '-', ''), 12))::bit(48)::bigint < to_ms(p_moment) - p_closed_memory_ms then
    known.request_id := p_request_id;
    known.state := 'released';
  end if;
  return known;
end
$$;

-- `code` as in HoldOutcome. retry_after_ms null: a retry cannot succeed.
create function ledger_hold(
  p_request_id uuid, p_payer jsonb, p_amount bigint, p_minimum bigint, p_tokens bigint, p_ttl_ms bigint, p_closed_memory_ms bigint, p_offset_ms bigint,
  out code text, out held bigint, out retry_after_ms bigint, out affordable bigint
) language plpgsql as $$
declare
  moment timestamptz := ledger_now(p_offset_ms);
  now_ms bigint := to_ms(moment);
  payer_account uuid := (p_payer -> 'account' ->> 'id')::uuid;
  payer_key uuid := (p_payer -> 'key' ->> 'id')::uuid;
  payer_group uuid := (p_payer -> 'group' ->> 'id')::uuid;
  key_rpm integer := (p_payer -> 'key' ->> 'rpm')::integer;
  key_tpm integer := (p_payer -> 'key' ->> 'tpm')::integer;
  group_rpm integer := (p_payer -> 'group' ->> 'rpm')::integer;
  group_tpm integer := (p_payer -> 'group' ->> 'tpm')::integer;
  account ledger_accounts := ledger_lock_account(payer_account);
  known ledger_requests;
  key ledger_keys;
  counters ledger_groups;
  budgets record;
  rate record;
  split record;
  allowed bigint;
begin
  held := 0;
  affordable := 0;
  if account.account_id is null then
    code := 'account_unknown';
    return;
  end if;
  known := ledger_find_request(p_request_id, moment, p_closed_memory_ms);
  if known.state is not null then
    if known.state <> 'open' then
      code := 'request_closed';
    elsif (known.amount_nano_usd, known.minimum_nano_usd, known.tokens, known.account_id, known.key_id, known.group_id)
        = (p_amount, p_minimum, p_tokens, payer_account, payer_key, payer_group) then
      code := 'exists';
      held := known.balance_nano_usd + parts_total(known.parts);
    else
      code := 'request_conflict';
    end if;
    return;
  end if;

  insert into ledger_keys (key_id) values (payer_key) on conflict do nothing;
  select * into key from ledger_keys where key_id = payer_key;
  budgets := ledger_budget_room(p_payer -> 'key', key.held_nano_usd, p_minimum, moment);
  if budgets.room < p_minimum then
    code := 'key_budget_exceeded';
    retry_after_ms := nullif(budgets.wait_ms, -1);
    affordable := budgets.room;
    return;
  end if;
  if key.in_flight >= (p_payer -> 'key' ->> 'concurrencyMax')::integer then
    code := 'key_concurrency_exceeded';
  elsif account.in_flight >= (p_payer -> 'account' ->> 'concurrencyMax')::integer then
    code := 'account_concurrency_exceeded';
  end if;
  if code is not null then
    -- Nobody knows when a place becomes free; a second keeps waiting clients from hammering.
    retry_after_ms := 1000;
    return;
  end if;

  if group_rpm is not null or group_tpm is not null then
    insert into ledger_groups (account_id, group_id) values (payer_account, payer_group) on conflict do nothing;
    select * into counters from ledger_groups where account_id = payer_account and group_id = payer_group;
  end if;
  for rate in
    select limits.code, limits.name, r.taken, r.wait_ms
    from (values
      (1, 'key_rpm_exceeded', 'key_requests', key.requests_level, key.requests_at_ms, 1::bigint, key_rpm),
      (2, 'key_tpm_exceeded', 'key_tokens', key.tokens_level, key.tokens_at_ms, p_tokens, key_tpm),
      (3, 'group_rpm_exceeded', 'group_requests', counters.requests_level, counters.requests_at_ms, 1::bigint, group_rpm),
      (4, 'group_tpm_exceeded', 'group_tokens', counters.tokens_level, counters.tokens_at_ms, p_tokens, group_tpm)
    ) as limits(place, code, name, level, at_ms, quantity, per_minute)
    cross join lateral ledger_take_rate(limits.level, limits.at_ms, limits.quantity, limits.per_minute, now_ms) r
    where limits.per_minute is not null
    order by limits.place
  loop
    if rate.taken is null then
      code := rate.code;
      retry_after_ms := nullif(rate.wait_ms, -1);
      return;
    end if;
    case rate.name
      when 'key_requests' then
        key.requests_level := rate.taken;
        key.requests_at_ms := now_ms;
      when 'key_tokens' then
        key.tokens_level := rate.taken;
        key.tokens_at_ms := now_ms;
      when 'group_requests' then
        counters.requests_level := rate.taken;
        counters.requests_at_ms := now_ms;
      when 'group_tokens' then
        counters.tokens_level := rate.taken;
        counters.tokens_at_ms := now_ms;
    end case;
  end loop;

  allowed := least(p_amount, budgets.room);
  split := ledger_split(account.available_nano_usd, p_payer, allowed, moment);
  if split.balance + split.subscription < p_minimum then
    code := 'insufficient_balance';
    affordable := split.balance + split.subscription;
    select min(ceil(extract(epoch from w.ready_at - moment) * 1000)) into retry_after_ms
      from jsonb_array_elements(p_payer -> 'subscriptions') s
      cross join lateral ledger_windows(s, p_minimum - account.available_nano_usd, moment) w
      where w.possible;
    return;
  end if;

  held := split.balance + split.subscription;
  code := 'held';
  insert into ledger_requests (request_id, state, account_id, key_id, group_id, amount_nano_usd, minimum_nano_usd, tokens,
      balance_nano_usd, parts, key_tpm, group_tpm, expires_at)
    values (p_request_id, 'open', payer_account, payer_key, payer_group, p_amount, p_minimum, p_tokens,
      split.balance, split.parts, coalesce(key_tpm, 0), coalesce(group_tpm, 0),
      moment + p_ttl_ms * interval '1 millisecond');
  update ledger_accounts set available_nano_usd = available_nano_usd - split.balance,
      held_nano_usd = held_nano_usd + split.balance, in_flight = in_flight + 1
    where account_id = payer_account;
  update ledger_keys set in_flight = in_flight + 1, held_nano_usd = held_nano_usd + held,
      requests_level = key.requests_level, requests_at_ms = key.requests_at_ms,
      tokens_level = key.tokens_level, tokens_at_ms = key.tokens_at_ms
    where key_id = payer_key;
  if counters.account_id is not null then
    update ledger_groups set requests_level = counters.requests_level, requests_at_ms = counters.requests_at_ms,
        tokens_level = counters.tokens_level, tokens_at_ms = counters.tokens_at_ms
      where account_id = payer_account and group_id = payer_group;
  end if;
  perform ledger_hold_parts(split.parts);
end
$$;

-- `code` as in ExtendOutcome; `amount` is the whole hold, or what could have been held.
create function ledger_extend(
  p_request_id uuid, p_payer jsonb, p_extension bigint, p_amount bigint, p_minimum bigint, p_ttl_ms bigint, p_closed_memory_ms bigint, p_offset_ms bigint,
  out code text, out amount bigint
) language plpgsql as $$
declare
  moment timestamptz := ledger_now(p_offset_ms);
  account ledger_accounts := ledger_lock_account((p_payer -> 'account' ->> 'id')::uuid);
  payer_key uuid := (p_payer -> 'key' ->> 'id')::uuid;
  known ledger_requests;
  budgets record;
  split record;
begin
  amount := 0;
  known := ledger_find_request(p_request_id, moment, p_closed_memory_ms);
  if known.state is null then
    code := 'hold_not_found';
    return;
  elsif known.state <> 'open' then
    code := 'request_closed';
    return;
  end if;
  amount := known.balance_nano_usd + parts_total(known.parts);
  if known.extension >= p_extension then
    code := 'exists';
    return;
  end if;
  if p_amount > 0 then
    budgets := ledger_budget_room(p_payer -> 'key',
      (select held_nano_usd from ledger_keys where key_id = payer_key), p_minimum, moment);
    if budgets.room < p_minimum then
      code := 'key_budget_exceeded';
      amount := budgets.room;
      return;
    end if;
    split := ledger_split(account.available_nano_usd, p_payer, least(p_amount, budgets.room), moment);
    if split.balance + split.subscription < p_minimum then
      code := 'insufficient_balance';
      amount := split.balance + split.subscription;
      return;
    end if;
    amount := amount + split.balance + split.subscription;
    update ledger_accounts set available_nano_usd = available_nano_usd - split.balance, held_nano_usd = held_nano_usd + split.balance
      where account_id = account.account_id;
    update ledger_keys set held_nano_usd = held_nano_usd + split.balance + split.subscription where key_id = payer_key;
    perform ledger_hold_parts(split.parts);
    update ledger_requests set balance_nano_usd = balance_nano_usd + split.balance, parts = join_parts(parts, split.parts)
      where request_id = p_request_id;
  end if;
  update ledger_requests set extension = p_extension, expires_at = moment + p_ttl_ms * interval '1 millisecond'
    where request_id = p_request_id;
  code := 'extended';
end
$$;

-- Gives back all that a hold has taken except the balance's part: place in flight, subscriptions' parts, tokens not used
-- (`p_tokens` null: tokens stay taken).
create function ledger_return_hold(hold ledger_requests, p_tokens bigint, p_now_ms bigint) returns void
language plpgsql as $$
declare
  difference bigint := (p_tokens - hold.tokens) * 60000;
begin
  update ledger_accounts set held_nano_usd = held_nano_usd - hold.balance_nano_usd, in_flight = in_flight - 1
    where account_id = hold.account_id;
  update ledger_keys set in_flight = in_flight - 1,
      held_nano_usd = held_nano_usd - hold.balance_nano_usd - parts_total(hold.parts)
    where key_id = hold.key_id;
  perform ledger_return_parts(hold.parts);
  -- Tokens used in fact instead of those the hold took. What has flowed off since cannot come back.
  if difference is not null and hold.key_tpm > 0 then
    update ledger_keys set tokens_at_ms = p_now_ms,
        tokens_level = greatest(0, ledger_level(tokens_level, tokens_at_ms, hold.key_tpm, p_now_ms) + difference)
      where key_id = hold.key_id;
  end if;
  if difference is not null and hold.group_tpm > 0 then
    update ledger_groups set tokens_at_ms = p_now_ms,
        tokens_level = greatest(0, ledger_level(tokens_level, tokens_at_ms, hold.group_tpm, p_now_ms) + difference)
      where account_id = hold.account_id and group_id = hold.group_id;
  end if;
end
$$;

-- Takes from what was held, in the account's order.
create function ledger_charge_held(hold ledger_requests, p_balance_first boolean, p_actual bigint,
  out balance bigint, out subscription bigint, out parts jsonb
) language plpgsql immutable as $$
declare
  entry jsonb;
  part bigint;
begin
  balance := case when p_balance_first then least(hold.balance_nano_usd, p_actual) else 0 end;
  subscription := 0;
  parts := '[]';
  for entry in select value from jsonb_array_elements(hold.parts) loop
    part := least((entry ->> 'amountNanoUsd')::bigint, p_actual - balance - subscription);
    if part > 0 then
      subscription := subscription + part;
      parts := parts || jsonb_build_array(jsonb_set(entry, '{amountNanoUsd}', to_jsonb(part)));
    end if;
  end loop;
  if not p_balance_first then
    balance := least(hold.balance_nano_usd, p_actual - subscription);
  end if;
end
$$;

-- `code` as in SettleOutcome. The record enters the book in the same transaction.
create function ledger_settle(
  p_request_id uuid, p_payer jsonb, p_actual bigint, p_tokens bigint, p_record jsonb, p_closed_memory_ms bigint, p_offset_ms bigint,
  out code text, out balance bigint, out subscription bigint, out uncollected bigint
) language plpgsql as $$
declare
  moment timestamptz := ledger_now(p_offset_ms);
  payer_account uuid := (p_payer -> 'account' ->> 'id')::uuid;
  payer_key uuid := (p_payer -> 'key' ->> 'id')::uuid;
  account ledger_accounts := ledger_lock_account(payer_account);
  known ledger_requests;
  charged record;
  more record;
  parts jsonb := '[]';
begin
  balance := 0;
  subscription := 0;
  uncollected := 0;
  if account.account_id is null then
    code := 'account_unknown';
    return;
  end if;
  known := ledger_find_request(p_request_id, moment, p_closed_memory_ms);
  if known.state = 'settled' then
    code := 'exists';
    balance := known.charged_balance_nano_usd;
    subscription := known.charged_subscription_nano_usd;
    uncollected := known.uncollected_nano_usd;
    return;
  elsif known.state = 'released' then
    code := 'request_closed';
    return;
  elsif known.state = 'open' then
    if (known.account_id, known.key_id) is distinct from (payer_account, payer_key) then
      raise exception 'request % is settled for another account or key', p_request_id;
    end if;
    code := 'settled';
    perform ledger_return_hold(known, p_tokens, to_ms(moment));
    charged := ledger_charge_held(known, p_payer -> 'account' ->> 'preference' = 'balance_first', p_actual);
    balance := charged.balance;
    subscription := charged.subscription;
    parts := charged.parts;
    perform ledger_give(payer_account, known.balance_nano_usd - balance);
  else
    code := 'settled_late';
  end if;

  if balance + subscription < p_actual then
    -- The book counts what the hold paid only below; until then it must not look unused.
    perform ledger_hold_parts(parts);
    more := ledger_split((select available_nano_usd from ledger_accounts where account_id = payer_account), p_payer,
      p_actual - balance - subscription, moment);
    update ledger_accounts set available_nano_usd = available_nano_usd - more.balance where account_id = payer_account;
    perform ledger_return_parts(parts);
    balance := balance + more.balance;
    subscription := subscription + more.subscription;
    parts := join_parts(parts, more.parts);
  end if;
  uncollected := p_actual - balance - subscription;
  insert into ledger_requests (request_id, state, account_id, closed_at, charged_balance_nano_usd, charged_subscription_nano_usd, uncollected_nano_usd)
    values (p_request_id, 'settled', payer_account, moment, balance, subscription, uncollected)
    on conflict (request_id) do update set state = 'settled', closed_at = excluded.closed_at,
      charged_balance_nano_usd = excluded.charged_balance_nano_usd,
      charged_subscription_nano_usd = excluded.charged_subscription_nano_usd,
      uncollected_nano_usd = excluded.uncollected_nano_usd;
  perform apply_usage(jsonb_build_array(jsonb_build_object('partition', null, 'epoch', null, 'record', p_record,
    'charge', jsonb_build_object('settledAtMs', to_ms(moment), 'balanceNanoUsd', balance, 'uncollectedNanoUsd', uncollected,
      'subscriptions', parts))));
end
$$;

-- A request that is not known is remembered as released: the hold that is still on its way then finds it closed.
create function ledger_release(p_request_id uuid, p_account_id uuid, p_closed_memory_ms bigint, p_offset_ms bigint) returns text
language plpgsql as $$
declare
  moment timestamptz := ledger_now(p_offset_ms);
  account ledger_accounts := ledger_lock_account(p_account_id);
  known ledger_requests;
begin
  known := ledger_find_request(p_request_id, moment, p_closed_memory_ms);
  if known.state is null then
    insert into ledger_requests (request_id, state, account_id, closed_at) values (p_request_id, 'released', p_account_id, moment);
    return 'hold_not_found';
  elsif known.state = 'released' then
    return 'exists';
  elsif known.state = 'settled' then
    return 'request_closed';
  end if;
  if known.account_id <> p_account_id then
    raise exception 'request % is released for another account', p_request_id;
  end if;
  update ledger_requests set state = 'released', closed_at = moment where request_id = p_request_id;
  if known.state = 'open' then
    perform ledger_return_hold(known, 0, to_ms(moment));
    perform ledger_give(account.account_id, known.balance_nano_usd);
  end if;
  return 'released';
end
$$;

-- Closes holds whose time has passed and forgets requests that have been closed for longer than the memory.
create function ledger_expire(p_limit integer, p_closed_memory_ms bigint, p_offset_ms bigint) returns integer
language plpgsql as $$
declare
  moment timestamptz := ledger_now(p_offset_ms);
  candidate record;
  known ledger_requests;
  closed integer := 0;
begin
  -- In the order of accounts: others lock accounts one at a time, sweepers all in this order.
  for candidate in
    select * from (select request_id, account_id from ledger_requests
      where state = 'open' and expires_at <= moment order by expires_at limit p_limit) due order by account_id
  loop
    perform ledger_lock_account(candidate.account_id);
    select * into known from ledger_requests where request_id = candidate.request_id;
    if known.state = 'open' and known.expires_at <= moment then
      update ledger_requests set state = 'expired', closed_at = moment where request_id = known.request_id;
      perform ledger_return_hold(known, null, to_ms(moment));
      perform ledger_give(known.account_id, known.balance_nano_usd);
      closed := closed + 1;
    end if;
  end loop;
  delete from ledger_requests where request_id in (
    select request_id from ledger_requests
      where state <> 'open' and closed_at < moment - p_closed_memory_ms * interval '1 millisecond' limit p_limit);
  return closed;
end
$$;

-- `code` as in CreditOutcome; `sequence` is the last one applied.
create function ledger_credit(p_account_id uuid, p_sequence bigint, p_amount bigint, out code text, out sequence bigint)
language plpgsql as $$
declare
  account ledger_accounts;
begin
  select * into account from ledger_accounts where account_id = p_account_id for update;
  sequence := coalesce(account.credit_sequence, 0);
  if not found then
    code := 'not_loaded';
  elsif p_sequence <= account.credit_sequence then
    code := 'exists';
  elsif p_sequence > account.credit_sequence + 1 then
    code := 'out_of_order';
  else
    code := 'credited';
    sequence := p_sequence;
    if p_amount >= 0 then
      perform ledger_give(p_account_id, p_amount);
    else
      update ledger_accounts set available_nano_usd = available_nano_usd - least(available_nano_usd, -p_amount),
          owed_nano_usd = owed_nano_usd - p_amount - least(available_nano_usd, -p_amount)
        where account_id = p_account_id;
    end if;
    update ledger_accounts set credit_sequence = p_sequence where account_id = p_account_id;
  end if;
end
$$;
