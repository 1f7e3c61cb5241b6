-- A level sinks to 0 and no further, so no more time is counted than that takes. Before, all the time since 1970 was multiplied by
-- the limit for a counter that had never been used, which left bigint at limits above 5,137,181 a minute: every hold failed.
create or replace function ledger_level(level bigint, at_ms bigint, per_minute integer, now_ms bigint) returns bigint
language sql immutable as $$
  select greatest(0, level - least(greatest(0, now_ms - at_ms), level / per_minute + 1) * per_minute);
$$;
