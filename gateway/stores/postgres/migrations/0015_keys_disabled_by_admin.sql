-- A key that an administrator disabled is enabled by an administrator alone; without this its owner could undo it.
alter table keys add column disabled_by_admin boolean not null default false;
