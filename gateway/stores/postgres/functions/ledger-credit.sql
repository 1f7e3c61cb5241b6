-- `code` as in CreditOutcome; `sequence` is the last one applied. Older gateways call it with the
-- first three arguments only.
create or replace function ledger_credit(
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
