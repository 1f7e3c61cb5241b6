-- A subscription starts on a whole millisecond, as the ledger counts its windows from it. Before, the column kept microseconds, and what
-- was shown of a subscription's windows was looked for at a start that nothing had been booked under. The rounding is the one by which
-- the ledger was told, so no window moves.
alter table subscriptions alter column started_at type timestamptz(3);

-- Months of the usage table are made and dropped under a lock that nobody else may share: behind one that waits for a reader (a dump, a
-- reconciliation), every hold and every bill would queue. Whoever asks for it tries again later.
alter function ensure_usage_partitions(integer) set lock_timeout = '1s';

create function drop_usage_partition(name text) returns void
language plpgsql set lock_timeout = '1s' as $$
begin
  execute format('drop table %I', name);
end
$$;

-- Lists of everybody's credits by time, what came in this month, and the credits that the change feed looks for again.
create index credits_created on credits (created_at, account_id, sequence);

-- Who has a plan: its list, its count, and whether it may be deleted.
create index subscriptions_plan on subscriptions (plan_id, id);
