-- Budget periods and allowance windows. The Lua twin is gateway/ledger/redis/lua/calendar.lua; a
-- test compares them.

-- Start of the UTC period that contains a time. Budgets of keys are counted per period.
create or replace function period_start(period text, at timestamptz) returns timestamptz
language sql immutable as $$
  select case when period = 'total' then timestamptz '1970-01-01 00:00:00+00'
    else date_trunc(period, at at time zone 'UTC') at time zone 'UTC' end;
$$;

-- Start of the n-th month window. A month window is at least 30 days long: around February a
-- calendar month is shorter, and a plan of 30 days would begin a second allowance before it ends.
create or replace function month_bound(started_at timestamptz, months integer) returns timestamptz
language sql immutable as $$
  select greatest((started_at at time zone 'UTC' + make_interval(months => months)) at time zone 'UTC',
    started_at + months * interval '720 hours');
$$;

-- How many month windows end before a time.
create or replace function months_ended(started_at timestamptz, at timestamptz) returns integer
language plpgsql immutable as $$
declare
  started timestamp := started_at at time zone 'UTC';
  moment timestamp := at at time zone 'UTC';
  months integer := (extract(year from moment) - extract(year from started)) * 12
    + extract(month from moment) - extract(month from started);
begin
  while months > 0 and month_bound(started_at, months) > at loop
    months := months - 1;
  end loop;
  return greatest(months, 0);
end
$$;

-- Start of the allowance window that contains a time, counted from the start of the subscription.
create or replace function window_start(allowance_window text, started_at timestamptz, at timestamptz) returns timestamptz
language plpgsql immutable as $$
declare
  length_ms bigint := case allowance_window when '5h' then 18000000 when 'day' then 86400000 when 'week' then 604800000 end;
begin
  if at < started_at then
    return started_at;
  end if;
  if length_ms is not null then
    return started_at
      + (floor(extract(epoch from at - started_at) * 1000 / length_ms) * length_ms)::double precision * interval '1 millisecond';
  end if;
  return month_bound(started_at, months_ended(started_at, at));
end
$$;

-- End of that window.
create or replace function window_end(allowance_window text, started_at timestamptz, at timestamptz) returns timestamptz
language plpgsql immutable as $$
declare
  length_ms bigint := case allowance_window when '5h' then 18000000 when 'day' then 86400000 when 'week' then 604800000 end;
begin
  if length_ms is not null then
    return window_start(allowance_window, started_at, at) + length_ms * interval '1 millisecond';
  end if;
  return month_bound(started_at, months_ended(started_at, at) + 1);
end
$$;
