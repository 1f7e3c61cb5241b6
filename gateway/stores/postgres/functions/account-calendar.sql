-- Local time of accounts. A local time is a timestamptz that shows it in UTC, so that periods of
-- budgets are computed in UTC whatever the zone is (period_start in calendar.sql).

-- Local time of the account at a moment; the moment itself in UTC.
create or replace function account_local(p_account_id uuid, at timestamptz) returns timestamptz
language sql stable as $$
  select coalesce((
    select (at at time zone z.zone) at time zone 'UTC' from account_time_zones z
    where z.account_id = p_account_id and z.since <= at and at < z.until), at);
$$;

-- How far local time is ahead of UTC: [offsetMs, fromMs, offsetMs, …], the last two for each change.
-- Null for an account that was always in UTC. It covers what is needed from a month ago to two
-- years ahead, so that gateways and Redis need no rules of time zones. Changes are looked for by
-- the week and then found to the millisecond.
create or replace function account_calendar(p_account_id uuid, p_now timestamptz) returns bigint[]
language plpgsql stable as $$
declare
  calendar bigint[];
  sample timestamptz;
  previous timestamptz;
  offset_ms bigint;
  low bigint;
  high bigint;
  middle bigint;
begin
  if not exists (select from account_time_zones where account_id = p_account_id) then
    return null;
  end if;
  for sample in
    select p_now - interval '35 days' + week * interval '7 days' from generate_series(0, 110) week
    union
    select moment from account_time_zones z cross join lateral (values (z.since - interval '1 ms'), (z.since)) change(moment)
      where z.account_id = p_account_id and z.since > p_now - interval '35 days'
    order by 1
  loop
    offset_ms := to_ms(account_local(p_account_id, sample)) - to_ms(sample);
    if calendar is null then
      calendar := array[offset_ms];
    elsif offset_ms <> calendar[cardinality(calendar)] then
      low := to_ms(previous);
      high := to_ms(sample);
      while high - low > 1 loop
        middle := (low + high) / 2;
        if to_ms(account_local(p_account_id, from_ms(middle))) - middle = offset_ms then
          high := middle;
        else
          low := middle;
        end if;
      end loop;
      calendar := calendar || high || offset_ms;
    end if;
    previous := sample;
  end loop;
  return calendar;
end
$$;

-- The first moment at which local time is `p_local_ms` or later. The Lua twin is `moment_of` in
-- gateway/ledger/redis/lua/calendar.lua.
create or replace function local_moment(p_calendar bigint[], p_local_ms bigint) returns bigint
language plpgsql immutable as $$
declare
  offset_ms bigint := coalesce(p_calendar[1], 0);
begin
  for place in 1 .. (coalesce(cardinality(p_calendar), 1) - 1) / 2 loop
    if p_local_ms - offset_ms < p_calendar[2 * place] then
      return p_local_ms - offset_ms;
    end if;
    offset_ms := p_calendar[2 * place + 1];
    -- The clock jumps over it.
    if p_calendar[2 * place] + offset_ms >= p_local_ms then
      return p_calendar[2 * place];
    end if;
  end loop;
  return p_local_ms - offset_ms;
end
$$;

-- End of the period that a local time is in, local. `total` has none.
create or replace function period_end(period text, local timestamptz) returns timestamptz
language sql immutable as $$
  select case when period <> 'total' then
    ((period_start(period, local) at time zone 'UTC') + ('1 ' || period)::interval) at time zone 'UTC' end;
$$;
