-- Where a channel's upstream serves models, the best first: `location` for all models, `model=location` for one.
-- Empty: the location that the base address names.
alter table channels add column locations text[] not null default '{}';
