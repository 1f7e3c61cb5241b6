-- Where a channel's upstream serves models, the best first: `location` for all models, `model=location` for one.
-- Empty: the location that the base address names.
alter table channels add column locations text[] not null default '{}';

-- The operator's project and location at a cloud, of the last attempt and of those that failed: `project/location`.
alter table requests add column place text;
alter table request_attempts add column place text;
