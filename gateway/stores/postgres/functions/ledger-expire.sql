-- Closes expired holds and deletes requests that were closed longer ago than the memory. Returns
-- how many it closed.
create or replace function ledger_expire(p_limit integer, p_closed_memory_ms bigint, p_offset_ms bigint) returns integer
language plpgsql as $$
declare
  moment timestamptz := ledger_now(p_offset_ms);
  candidate record;
  known ledger_requests;
  closed integer := 0;
begin
  -- In the order of accounts, so that two sweepers cannot deadlock.
  for candidate in
    select * from (select request_id, account_id from ledger_requests
      where state = 'open' and expires_at <= moment order by expires_at limit p_limit) due order by account_id
  loop
    perform ledger_lock_account(candidate.account_id);
    select * into known from ledger_requests where request_id = candidate.request_id;
    if known.state = 'open' and known.expires_at <= moment then
      update ledger_requests set state = 'expired', closed_at = moment where request_id = known.request_id;
      perform ledger_return_hold(known, null, to_ms(moment));
      perform ledger_give(known.account_id, known.balance_nano_usd);
      closed := closed + 1;
    end if;
  end loop;
  -- Another sweeper deletes the same requests, and a repeated settle may have one.
  delete from ledger_requests where request_id in (
    select request_id from ledger_requests
      where state <> 'open' and closed_at < moment - p_closed_memory_ms * interval '1 millisecond'
      limit p_limit for update skip locked);
  return closed;
end
$$;
