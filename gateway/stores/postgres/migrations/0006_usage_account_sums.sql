-- Sums of whole days by account and model, without keys and groups: for one account's year by model, and for who
-- uses one model. The two books of 0005 cannot tell either, and usage_daily scatters what they need over the disk.
--
-- Nothing may close a day between the two functions: it would be closed without this book.
select pg_advisory_xact_lock(7318349394477058);

create table usage_account_sums (
  account_id uuid not null,
  day date not null,
  model text not null,
  requests bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  output_tokens bigint not null,
  cost_nano_usd bigint not null,
  primary key (account_id, day, model)
);

create index usage_account_sums_model on usage_account_sums (model, day);
create index usage_account_sums_day on usage_account_sums (day);

-- As in 0005, and this book. A day's rows are laid down account by account: one account's year is then on about as
-- many pages as it has days.
create or replace function close_usage_day(p_day date) returns void
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
  delete from usage_account_sums where day = p_day;
  insert into usage_account_sums
    select account_id, day, model, sum(requests), sum(input_tokens), sum(cached_input_tokens), sum(output_tokens),
      sum(cost_nano_usd)
    from usage_daily where day = p_day group by account_id, day, model order by account_id, model;
end
$$;

-- Days that were closed without this book are opened, so that the next round of the job sums them up again. Until
-- then charts read them from usage_daily: slower, and as exact.
insert into usage_open_days select distinct day from usage_daily on conflict do nothing;

create view usage_by_account as
  select day, account_id, model, requests, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd
  from usage_account_sums where day <> all (array(select day from usage_open_days))
  union all
  select day, account_id, model, requests, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd
  from usage_daily where day = any (array(select day from usage_open_days));
