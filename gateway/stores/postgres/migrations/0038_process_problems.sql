-- What a process finds wrong with its stores and clocks: [{"kind", "severity", "message"}, …]
-- (shared/problems.ts). The overview shows those of all processes.
alter table process_reports add column problems jsonb not null default '[]';
