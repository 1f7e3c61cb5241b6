-- A subscription starts on a whole millisecond, as the ledger counts its windows from it. Before, the column kept microseconds, and what
-- was shown of a subscription's windows was looked for at a start that nothing had been booked under. The rounding is the one by which
-- the ledger was told, so no window moves.
alter table subscriptions alter column started_at type timestamptz(3);
