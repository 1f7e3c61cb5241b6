-- Sums of whole days, so that a chart over everyone reads thousands of rows where usage_daily has millions.
--
-- A day is open while usage_daily may have changed since it was summed up; its rows are read from usage_daily itself.
-- Whoever changes usage_daily opens the day again, also a year later, so the two views below are exact at any time.
create table usage_open_days (
  day date primary key
);

insert into usage_open_days select distinct day from usage_daily;

create table usage_model_sums (
  day date not null,
  model text not null,
  group_id uuid not null,
  requests bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  output_tokens bigint not null,
  cost_nano_usd bigint not null,
  uncollected_nano_usd bigint not null,
  primary key (day, model, group_id)
);

create table usage_key_sums (
  day date not null,
  account_id uuid not null,
  key_id uuid not null,
  requests bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  output_tokens bigint not null,
  cost_nano_usd bigint not null,
  balance_nano_usd bigint not null,
  primary key (account_id, day, key_id)
);

create index usage_key_sums_day on usage_key_sums (day);

-- Batches take the lock shared: they wait for a day that is being summed up, never for one another. Where the day
-- is open already, which is nearly always, nothing is written.
create function open_usage_days() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7318349394477058);
  insert into usage_open_days select distinct day from changed on conflict do nothing;
  return null;
end
$$;

create trigger usage_daily_inserted after insert on usage_daily
  referencing new table as changed for each statement execute function open_usage_days();
create trigger usage_daily_updated after update on usage_daily
  referencing new table as changed for each statement execute function open_usage_days();

-- Sums a day up. The lock waits for the batches under way and keeps others away, so the statements after it
-- see all there is and nothing comes in between.
create function close_usage_day(p_day date) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7318349394477058);
  delete from usage_open_days where day = p_day;
  delete from usage_model_sums where day = p_day;
  insert into usage_model_sums
    select day, model, group_id, sum(requests), sum(input_tokens), sum(cached_input_tokens), sum(output_tokens),
      sum(cost_nano_usd), sum(uncollected_nano_usd)
    from usage_daily where day = p_day group by day, model, group_id;
  delete from usage_key_sums where day = p_day;
  insert into usage_key_sums
    select day, account_id, key_id, sum(requests), sum(input_tokens), sum(cached_input_tokens), sum(output_tokens),
      sum(cost_nano_usd), sum(balance_nano_usd)
    from usage_daily where day = p_day group by day, account_id, key_id;
end
$$;

-- The open days are few and read once, as an array: so both halves find their rows by index.
create view usage_by_model as
  select day, model, group_id, requests, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd,
    uncollected_nano_usd
  from usage_model_sums where day <> all (array(select day from usage_open_days))
  union all
  select day, model, group_id, requests, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd,
    uncollected_nano_usd
  from usage_daily where day = any (array(select day from usage_open_days));

create view usage_by_key as
  select day, account_id, key_id, requests, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd,
    balance_nano_usd
  from usage_key_sums where day <> all (array(select day from usage_open_days))
  union all
  select day, account_id, key_id, requests, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd,
    balance_nano_usd
  from usage_daily where day = any (array(select day from usage_open_days));
