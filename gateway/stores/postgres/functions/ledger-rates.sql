-- Rate limits: a leaky bucket in whole numbers. The level is in 60,000ths of a request or token and
-- falls by the limit per minute every millisecond. The Lua twin is
-- gateway/ledger/redis/lua/rates.lua.

-- The level at `now_ms`. The elapsed time is capped at what empties the bucket: the limit times all
-- milliseconds since 1970, for a counter that was never used, would overflow bigint.
create or replace function ledger_level(level bigint, at_ms bigint, per_minute integer, now_ms bigint) returns bigint
language sql immutable as $$
  select greatest(0, level - least(greatest(0, now_ms - at_ms), level / per_minute + 1) * per_minute);
$$;

-- The level as it counts under the present limit. A level that was set under another limit counts
-- as one minute's worth at most: a key whose limit was lowered tenfold would be refused for ten
-- minutes otherwise. Use beyond an estimate may exceed a minute's worth under the same limit, and
-- is waited for.
create or replace function ledger_level_under(level bigint, set_under integer, per_minute integer) returns bigint
language sql immutable as $$
  select case when set_under = per_minute then level else least(level, per_minute::bigint * 60000) end;
$$;

-- `taken` is the level after `quantity` was taken. It is null when that is impossible now, and
-- `wait_ms` says when it becomes possible; -1 never.
create or replace function ledger_take_rate(
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
