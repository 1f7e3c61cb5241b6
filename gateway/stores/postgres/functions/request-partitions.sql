-- Days of the request log. As with usage, a lock that is not free is not awaited.

-- Creates the partitions of today and of the following days; returns how many it has created. A day
-- of which the default partition has rows already is left to the default partition.
create or replace function ensure_request_partitions(days_ahead integer) returns integer
language plpgsql set lock_timeout = '1s' as $$
declare
  day date := (now() at time zone 'UTC')::date;
  made integer := 0;
  parent text;
  name text;
  starts timestamptz;
  is_taken boolean;
begin
  -- One process at a time: gateways start together.
  perform pg_advisory_xact_lock(7318349394477060);
  for step in 0 .. days_ahead loop
    starts := day::timestamp at time zone 'UTC';
    foreach parent in array array['requests', 'request_attempts'] loop
      name := parent || to_char(day, '_YYYY_MM_DD');
      if to_regclass(name) is null then
        execute format('select exists (select from %I where created_at >= $1 and created_at < $2)', parent || '_default')
          into is_taken using starts, starts + interval '1 day';
        if not is_taken then
          execute format('create table %I partition of %I for values from (%L) to (%L)',
            name, parent, starts, starts + interval '1 day');
          made := made + 1;
        end if;
      end if;
    end loop;
    day := day + 1;
  end loop;
  return made;
end
$$;

create or replace function drop_request_partition(name text) returns void
language plpgsql set lock_timeout = '1s' as $$
begin
  execute format('drop table %I', name);
end
$$;
