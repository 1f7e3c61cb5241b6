-- Returns the request; state null means unknown. A request older than the memory of closed requests
-- counts as released, because nothing can tell whether it was closed.
create or replace function ledger_find_request(p_request_id uuid, p_moment timestamptz, p_closed_memory_ms bigint) returns ledger_requests
language plpgsql stable as $$
declare
  known ledger_requests;
begin
  select * into known from ledger_requests where request_id = p_request_id;
  -- The first 48 bits of a version 7 UUID are its time.
  if not found and ('x' || left(replace(p_request_id::text, '-', ''), 12))::bit(48)::bigint < to_ms(p_moment) - p_closed_memory_ms then
    known.request_id := p_request_id;
    known.state := 'released';
  end if;
  return known;
end
$$;
