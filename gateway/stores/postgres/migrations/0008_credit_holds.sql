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

drop function ledger_credit(uuid, bigint, bigint);

-- `code` as in CreditOutcome; `sequence` is the last one applied. Gateways from before, which know of no hold, give the first
-- three arguments.
create function ledger_credit(
  p_account_id uuid, p_sequence bigint, p_amount bigint,
  p_hold_id uuid default null, p_closed_memory_ms bigint default null, p_offset_ms bigint default null,
  out code text, out sequence bigint
) language plpgsql as $$
declare
  account ledger_accounts;
begin
  select * into account from ledger_accounts where account_id = p_account_id for update;
  sequence := coalesce(account.credit_sequence, 0);
  if not found then
    code := 'not_loaded';
  elsif p_sequence <= account.credit_sequence then
    code := 'exists';
  elsif p_sequence > account.credit_sequence + 1 then
    code := 'out_of_order';
  else
    code := 'credited';
    sequence := p_sequence;
    if p_hold_id is not null then
      perform ledger_release(p_hold_id, p_account_id, p_closed_memory_ms, p_offset_ms);
    end if;
    if p_amount >= 0 then
      perform ledger_give(p_account_id, p_amount);
    else
      update ledger_accounts set available_nano_usd = available_nano_usd - least(available_nano_usd, -p_amount),
          owed_nano_usd = owed_nano_usd - p_amount - least(available_nano_usd, -p_amount)
        where account_id = p_account_id;
    end if;
    update ledger_accounts set credit_sequence = p_sequence where account_id = p_account_id;
  end if;
end
$$;
