-- Sums of whole days. A batch that changes usage_daily opens its days again.

-- Trigger. Takes the lock shared, so that batches wait for a day that is being summed but not for
-- each other. An open day is not written again, which is the common case.
create or replace function open_usage_days() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7318349394477058);
  insert into usage_open_days select distinct day from changed order by day on conflict do nothing;
  return null;
end
$$;

-- Sums one day. The lock waits for running batches and keeps new ones out until commit. Rows are
-- inserted in the order of accounts, so that one account's year takes about one page per day.
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
