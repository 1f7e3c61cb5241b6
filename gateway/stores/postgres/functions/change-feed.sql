-- The feed that gateways poll.

-- Appends to the feed. The advisory lock is held until commit, so sequence order is commit order: a
-- poller that has read n never misses a smaller number that commits later.
create or replace function record_change(change_kind text, change_ref text) returns void
language sql as $$
  select pg_advisory_xact_lock(7318349394477056);
  insert into changes (kind, ref) values (change_kind, change_ref);
$$;

-- Trigger of tables that gateways cache. Argument 0 is the kind of change, argument 1 the column
-- that identifies the row.
create or replace function record_row_change() returns trigger
language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  perform record_change(tg_argv[0], changed ->> tg_argv[1]);
  return null;
end
$$;

-- Trigger. Records name their member from the second member of an account on (key_shares), so
-- gateways must learn of the member.
create or replace function record_new_member() returns trigger
language plpgsql as $$
begin
  if exists (select from members where account_id = new.account_id and id <> new.id) then
    perform record_change('account', new.account_id::text);
  end if;
  return null;
end
$$;
