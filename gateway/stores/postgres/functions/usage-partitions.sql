-- Months of usage_records. Creating or dropping one needs an exclusive lock: behind a statement
-- that waits for it, every hold and every settle would queue. So it fails after a second, and the
-- caller tries again.

-- Creates the partitions of this month and of the following ones; returns how many it has created.
-- A month of which the default partition has rows already is left to the default partition.
create or replace function ensure_usage_partitions(months_ahead integer) returns integer
language plpgsql set lock_timeout = '1s' as $$
declare
  month timestamp := date_trunc('month', now() at time zone 'UTC');
  made integer := 0;
  name text;
begin
  -- One process at a time: gateways start together.
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

create or replace function drop_usage_partition(name text) returns void
language plpgsql set lock_timeout = '1s' as $$
begin
  execute format('drop table %I', name);
end
$$;
