-- The role of supporters, who see accounts, usage and logs and change nothing; accounts whose people are erased and whose books stay.

alter table users drop constraint users_role_check,
  add constraint users_role_check check (role in ('user', 'support', 'admin'));

-- When its people were erased. It stays suspended: gateways know of nothing else.
alter table accounts add column deleted_at timestamptz,
  add constraint accounts_deleted_is_suspended check (deleted_at is null or status = 'suspended');

-- Entries stay for ever, and what they quote of a person who is erased does not: while that is done, `before` and `after` may change,
-- and nothing else.
drop trigger audit_entries_append_only on audit_entries;
create trigger audit_entries_append_only before delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_unchanged before update on audit_entries
  for each row when (current_setting('weir.erasing', true) is distinct from 'on'
    or to_jsonb(new) - 'before' - 'after' is distinct from to_jsonb(old) - 'before' - 'after')
  execute function refuse_change();
