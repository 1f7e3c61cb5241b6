-- Changes of many objects at once, operators' notes on accounts, and the audit log by object.

create table bulk_changes (
  -- Of the operation: a repeat of the request finds what it did.
  id uuid primary key,
  kind text not null,
  user_id uuid not null,
  undoes uuid unique references bulk_changes (id),
  -- Counts of the report, without names.
  summary jsonb not null,
  created_at timestamptz not null default now()
);

-- One object each, with the fields that changed. An audit entry has its change as subject.
create table bulk_change_lines (
  bulk_change_id uuid not null references bulk_changes (id),
  position integer not null,
  subject_id uuid not null,
  name text not null,
  before jsonb,
  after jsonb,
  primary key (bulk_change_id, position)
);

-- The history of an object has the bulk changes that concerned it.
create index bulk_change_lines_subject on bulk_change_lines (subject_id, bulk_change_id);

create trigger bulk_change_lines_append_only before delete on bulk_change_lines
  for each row execute function refuse_change();
create trigger bulk_change_lines_keep before truncate on bulk_change_lines
  for each statement execute function refuse_change();
-- While a person is erased, what lines quote of them may change.
create trigger bulk_change_lines_unchanged before update on bulk_change_lines
  for each row when (current_setting('weir.erasing', true) is distinct from 'on'
    or to_jsonb(new) - 'before' - 'after' - 'name' is distinct from to_jsonb(old) - 'before' - 'after' - 'name')
  execute function refuse_change();

-- Keys of all accounts are listed by name, both ways, one page at a time; equal ones by id.
create index keys_by_name on keys (lower(name), id);

-- Seen by operators alone.
alter table accounts add column note text not null default '';

-- The audit log by object, whatever its kind.
create index audit_entries_subject_id on audit_entries (subject_id, id desc);
