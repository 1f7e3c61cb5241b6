-- A month's allowance window is 30 days at least, counted from the subscription's start. Around February a calendar month is shorter:
-- a plan of 30 days that was bought on the 1st of it began a second month's allowance two days before its end.
create function month_bound(started_at timestamptz, months integer) returns timestamptz
language sql immutable as $$
  select greatest((started_at at time zone 'UTC' + make_interval(months => months)) at time zone 'UTC',
    started_at + months * interval '720 hours');
$$;

-- How many months' windows have ended before a time.
create function months_ended(started_at timestamptz, at timestamptz) returns integer
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

-- The Lua twin of these is gateway/ledger/redis/lua/calendar.lua; a test compares them.
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

-- What was used of a window that is now said to have begun later. One whose beginning is still to come stays where nobody counts it.
update subscription_windows w set period_start = month_bound(s.started_at, n.months)
from subscriptions s, generate_series(1, 3) as n(months)
where w.subscription_id = s.id and w.allowance_window = 'month'
  and w.period_start = (s.started_at at time zone 'UTC' + make_interval(months => n.months)) at time zone 'UTC'
  and w.period_start < month_bound(s.started_at, n.months) and month_bound(s.started_at, n.months) <= now();
