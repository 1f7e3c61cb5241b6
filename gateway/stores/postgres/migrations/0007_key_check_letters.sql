-- Keys end in check letters that depend on SECRET_KEY: one without them is unknown, and is refused without a lookup.
-- Keys from before, and a first key that the operator chose, have none. Gateways know their prefixes and look up what
-- begins like one of them; so a flood of guesses asks the database nothing.
alter table keys add column has_check_letters boolean not null default false;

-- Null for a value with check letters; '' for one of which nothing is known, which makes gateways look up every key.
alter table key_aliases add column unchecked_prefix text default '';

create index keys_unchecked on keys (prefix) where not has_check_letters;
create index key_aliases_unchecked on key_aliases (unchecked_prefix) where unchecked_prefix is not null;

create trigger keys_unchecked_insert after insert on keys
  for each row when (not new.has_check_letters) execute function record_row_change('catalog', 'id');
create trigger keys_unchecked_update after update of prefix, has_check_letters on keys
  for each row when (not new.has_check_letters) execute function record_row_change('catalog', 'id');
create trigger key_aliases_unchecked_insert after insert on key_aliases
  for each row when (new.unchecked_prefix is not null) execute function record_row_change('catalog', 'key_id');
