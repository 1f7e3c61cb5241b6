-- The journal account that a credit moves money from. Only kinds that bring or pay out cash use
-- 'cash': otherwise the sum of cash would include money that nobody has paid.
create or replace function credit_book_account(p_kind text, p_entry_id text, p_amount_nano_usd bigint) returns text
language sql immutable as $$
  select case p_kind
    when 'redemption' then 'redemption_codes'
    when 'plan_purchase' then 'plan_revenue'
    when 'bootstrap' then 'welcome_credits'
    when 'adjustment' then case when p_entry_id like 'registration:%' then 'welcome_credits' else 'adjustments' end
    -- A manual refund to the balance brings no cash; one that takes from the balance was paid out.
    when 'refund' then case when p_entry_id like 'credit:%' and p_amount_nano_usd > 0 then 'adjustments' else 'cash' end
    else 'cash' end;
$$;

-- Adds a credit once. The same entry id again returns the sequence of the first time, and applied =
-- false.
create or replace function add_credit(
  p_entry_id text, p_account_id uuid, p_amount_nano_usd bigint, p_kind text, p_reason text, p_actor text,
  p_hold_id uuid default null,
  out sequence bigint, out applied boolean
) language plpgsql as $$
begin
  -- The row lock orders the credits of an account, so that sequences have no gaps. It lets rows that
  -- refer to the account be inserted: their transactions may hold the lock of the change feed, which
  -- this one needs for its credit.
  perform 1 from accounts where id = p_account_id for no key update;
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
    values (p_account_id, credit_book_account(p_kind, p_entry_id, p_amount_nano_usd), 'customer_balance', p_amount_nano_usd,
      'credit:' || p_entry_id);
  applied := true;
end
$$;
