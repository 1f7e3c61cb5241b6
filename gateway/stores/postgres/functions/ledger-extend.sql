-- `code` as in ExtendOutcome; `amount` is the whole hold, or what could have been held.
create or replace function ledger_extend(
  p_request_id uuid, p_payer jsonb, p_extension bigint, p_amount bigint, p_minimum bigint, p_ttl_ms bigint, p_closed_memory_ms bigint, p_offset_ms bigint,
  out code text, out amount bigint
) language plpgsql as $$
declare
  moment timestamptz := ledger_now(p_offset_ms);
  account ledger_accounts := ledger_lock_account((p_payer -> 'account' ->> 'id')::uuid);
  payer_key uuid := (p_payer -> 'key' ->> 'id')::uuid;
  known ledger_requests;
  budgets record;
  split record;
begin
  amount := 0;
  known := ledger_find_request(p_request_id, moment, p_closed_memory_ms);
  if known.state is null then
    code := 'hold_not_found';
    return;
  elsif known.state <> 'open' then
    code := 'request_closed';
    return;
  end if;
  amount := known.balance_nano_usd + parts_total(known.parts);
  if known.extension >= p_extension then
    code := 'exists';
    return;
  end if;
  if p_amount > 0 then
    budgets := ledger_budget_room(p_payer, ledger_scopes_of(p_payer), p_minimum, moment);
    if budgets.room < p_minimum then
      code := budgets.code;
      amount := budgets.room;
      return;
    end if;
    split := ledger_split(account.available_nano_usd, p_payer, least(p_amount, budgets.room), moment);
    if split.balance + split.subscription < p_minimum then
      code := 'insufficient_balance';
      amount := split.balance + split.subscription;
      return;
    end if;
    amount := amount + split.balance + split.subscription;
    update ledger_accounts set available_nano_usd = available_nano_usd - split.balance, held_nano_usd = held_nano_usd + split.balance
      where account_id = account.account_id;
    update ledger_keys set held_nano_usd = held_nano_usd + split.balance + split.subscription where key_id = payer_key;
    if cardinality(known.held_scopes) > 0 then
      perform ledger_hold_scopes(account.account_id, known.held_scopes, 0, split.balance + split.subscription);
    end if;
    perform ledger_hold_parts(split.parts);
    update ledger_requests set balance_nano_usd = balance_nano_usd + split.balance, parts = join_parts(parts, split.parts)
      where request_id = p_request_id;
  end if;
  update ledger_requests set extension = p_extension, expires_at = moment + p_ttl_ms * interval '1 millisecond'
    where request_id = p_request_id;
  code := 'extended';
end
$$;
