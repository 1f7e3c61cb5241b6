-- Releases a hold. An unknown request is remembered as released, so that a hold that arrives later
-- finds it closed.
create or replace function ledger_release(p_request_id uuid, p_account_id uuid, p_closed_memory_ms bigint, p_offset_ms bigint) returns text
language plpgsql as $$
declare
  moment timestamptz := ledger_now(p_offset_ms);
  account ledger_accounts := ledger_lock_account(p_account_id);
  known ledger_requests;
begin
  known := ledger_find_request(p_request_id, moment, p_closed_memory_ms);
  if known.state is null then
    insert into ledger_requests (request_id, state, account_id, closed_at) values (p_request_id, 'released', p_account_id, moment);
    return 'hold_not_found';
  elsif known.state = 'released' then
    return 'exists';
  elsif known.state = 'settled' then
    return 'request_closed';
  end if;
  if known.account_id <> p_account_id then
    raise exception 'request % is released for another account', p_request_id;
  end if;
  update ledger_requests set state = 'released', closed_at = moment where request_id = p_request_id;
  if known.state = 'open' then
    perform ledger_return_hold(known, 0, to_ms(moment));
    perform ledger_give(account.account_id, known.balance_nano_usd);
  end if;
  return 'released';
end
$$;
