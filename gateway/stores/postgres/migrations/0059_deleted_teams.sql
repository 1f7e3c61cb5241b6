-- The row of a deleted team stays, because records of usage name it.
alter table teams add column deleted_at timestamptz;

drop index teams_name;
create unique index teams_name on teams (account_id, lower(name)) where deleted_at is null;
