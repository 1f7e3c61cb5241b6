-- Trigger: a new epoch starts without a position, whichever version of Weir starts it. A gateway
-- older than migration 0021 raises the epoch only; newer ones would then consider the fresh
-- partition stale and drop its open holds.
create or replace function begin_epoch() returns trigger language plpgsql as $$
begin
  new.entered_ms := 0;
  new.entered_sequence := 0;
  return new;
end
$$;

-- Records how far the usage streams have been inserted. `positions` is an array of {"partition": 7,
-- "epoch": 3, "id": "1795430400000-0"}, at most one per partition. Call it in the same statement as
-- the insertion and before it: the insertion takes a weaker lock on the same rows, and two
-- transactions that both upgrade from there would deadlock.
create or replace function note_entered(positions jsonb) returns void
language plpgsql as $$
begin
  perform from ledger_epochs
    where partition in (select (position ->> 'partition')::smallint from jsonb_array_elements(positions) position)
    order by partition for no key update;
  update ledger_epochs e set entered_ms = p.ms, entered_sequence = p.sequence
    from (
      select partition, epoch, split_part(id, '-', 1)::bigint as ms, split_part(id, '-', 2)::bigint as sequence
      from jsonb_to_recordset(positions) as position(partition smallint, epoch bigint, id text)
    ) p
    where e.partition = p.partition and e.epoch = p.epoch and (e.entered_ms, e.entered_sequence) < (p.ms, p.sequence);
end
$$;
