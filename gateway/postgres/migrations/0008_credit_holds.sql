-- The hold that keeps the money of a plan's purchase until the ledger applies the credit that takes it. Both happen in one step:
-- one after the other, the price counted twice for a moment, and what else was bought then was refused for want of money.
alter table credits add column hold_id uuid;

drop function add_credit(text, uuid, bigint, text, text, text);

-- Adds a credit once: the same entry id again answers the sequence it got the first time, and applied = false.
create function add_credit(
  p_entry_id text, p_account_id uuid, p_amount_nano_usd bigint, p_kind text, p_reason text, p_actor text,
  p_hold_id uuid default null,
  out sequence bigint, out applied boolean
) language plpgsql as $$
begin
  -- The row lock orders the credits of one account, so that sequences have no gaps.
  perform 1 from accounts where id = p_account_id for update;
  if not found then
    raise exception 'account % does not exist', p_account_id using errcode = 'foreign_key_violation';
  end if;
  select c.sequence into sequence from credits c where c.entry_id = p_entry_id;
  if found then
    applied := false;
    return;
  end if;
  update accounts set balance_nano_usd = balance_nano_usd + p_amount_nano_usd,
      credit_sequence = credit_sequence + 1, updated_at = now()
    where id = p_account_id
    returning credit_sequence into sequence;
  insert into credits (account_id, sequence, entry_id, amount_nano_usd, kind, reason, actor, hold_id)
    values (p_account_id, sequence, p_entry_id, p_amount_nano_usd, p_kind, p_reason, p_actor, p_hold_id);
  insert into journal_entries (account_id, debit, credit, amount_nano_usd, reference)
    values (p_account_id, 'cash', 'customer_balance', p_amount_nano_usd, 'credit:' || p_entry_id);
  applied := true;
end
$$;

-- As ledger_credit without a hold, which gateways from before go on calling. Only the call that applies the credit releases the hold.
create function ledger_credit(
  p_account_id uuid, p_sequence bigint, p_amount bigint, p_hold_id uuid, p_closed_memory_ms bigint, p_offset_ms bigint,
  out code text, out sequence bigint
) language plpgsql as $$
begin
  if p_hold_id is not null then
    perform 1 from ledger_accounts where account_id = p_account_id and credit_sequence = p_sequence - 1 for update;
    if found then
      perform ledger_release(p_hold_id, p_account_id, p_closed_memory_ms, p_offset_ms);
    end if;
  end if;
  select credited.code, credited.sequence into code, sequence
    from ledger_credit(p_account_id, p_sequence, p_amount) credited;
end
$$;
