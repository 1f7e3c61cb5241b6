-- An epoch begins with no position, whoever begins it. A gateway of before migration 0021 that still runs beside or after newer ones raises
-- the epoch alone; the newer would then take the fresh partition for one that is older than the book, and drop the holds open in it.
create function begin_epoch() returns trigger language plpgsql as $$
begin
  new.entered_ms := 0;
  new.entered_sequence := 0;
  return new;
end
$$;

create trigger ledger_epochs_begin before update of epoch on ledger_epochs
  for each row when (new.epoch is distinct from old.epoch) execute function begin_epoch();
