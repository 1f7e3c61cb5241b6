-- The newest entry of each partition's usage stream that is in the book, in the partition's present epoch; 0-0 when there is none.
-- A Redis that has never had this entry is older than the book (see gateway/ledger/redis/older-redis.ts).
alter table ledger_epochs
  add column entered_ms bigint not null default 0,
  add column entered_sequence bigint not null default 0;

-- Notes how far streams have been entered. `positions` is an array of {"partition": 7, "epoch": 3, "id": "1795430400000-0"}, at most one
-- of a partition. To be called before the records are entered, in the same statement: entering them locks the same rows less strictly,
-- and two that both went on from there to the stricter lock would wait for each other.
create function note_entered(positions jsonb) returns void
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
