-- Budgets of account, team, member and key. The Lua twin is gateway/ledger/redis/lua/funds.lua.

-- The scopes of the payer, other than its key, that have a budget (migration 0050).
create or replace function ledger_scopes_of(p_payer jsonb) returns text[]
language sql immutable as $$
  select array_remove(array[
    case when jsonb_array_length(p_payer -> 'account' -> 'budgets') > 0 then 'account' end,
    case when jsonb_array_length(p_payer -> 'team' -> 'budgets') > 0 then 'team:' || (p_payer -> 'team' ->> 'id') end,
    case when jsonb_array_length(p_payer -> 'member' -> 'budgets') > 0 then 'member:' || (p_payer -> 'member' ->> 'id') end
  ], null);
$$;

-- What the budgets leave, all levels together; `code` is the refusal of the first level, from the
-- account to the key, that leaves less than `p_minimum`, and `wait_ms` the milliseconds until all
-- those levels reset: -1 never, 0 when all have enough.
create or replace function ledger_budget_room(p_payer jsonb, p_scopes text[], p_minimum bigint, p_now timestamptz,
  out room bigint, out wait_ms bigint, out code text
) language plpgsql stable as $$
declare
  account uuid := (p_payer -> 'account' ->> 'id')::uuid;
  key uuid := (p_payer -> 'key' ->> 'id')::uuid;
  local timestamptz;
  budget record;
  remaining bigint;
  refusing integer;
begin
  room := 9007199254740991;
  wait_ms := 0;
  if cardinality(p_scopes) = 0 and jsonb_array_length(p_payer -> 'key' -> 'budgets') = 0 then
    return;
  end if;
  local := account_local(account, p_now);
  for budget in
    select level.place, b.period, b."limitNanoUsd" as limit_nano_usd, coalesce(h.held_nano_usd, 0) as held,
      coalesce((select spent_nano_usd from scope_spend s where s.account_id = account and s.scope = level.scope
        and s.period = b.period and s.period_start = period_start(b.period, local)), 0) as spent
    from (values
        (1, 'account', p_payer -> 'account' -> 'budgets'),
        (2, 'team:' || (p_payer -> 'team' ->> 'id'), p_payer -> 'team' -> 'budgets'),
        (3, 'member:' || (p_payer -> 'member' ->> 'id'), p_payer -> 'member' -> 'budgets')) as level(place, scope, budgets)
      cross join lateral jsonb_to_recordset(level.budgets) as b(period text, "limitNanoUsd" bigint)
      left join ledger_scopes h on h.account_id = account and h.scope = level.scope
      where cardinality(p_scopes) > 0
    union all
    select 4, b.period, b."limitNanoUsd", coalesce((select held_nano_usd from ledger_keys where key_id = key), 0),
      coalesce((select spent_nano_usd from key_spend s
        where s.key_id = key and s.period = b.period and s.period_start = period_start(b.period, local)), 0)
    from jsonb_to_recordset(p_payer -> 'key' -> 'budgets') as b(period text, "limitNanoUsd" bigint)
  loop
    remaining := greatest(0, budget.limit_nano_usd - budget.spent - budget.held);
    room := least(room, remaining);
    if remaining < p_minimum then
      refusing := least(refusing, budget.place);
      if budget.period = 'total' or budget.limit_nano_usd < p_minimum or wait_ms < 0 then
        wait_ms := -1;
      else
        wait_ms := greatest(wait_ms, local_moment(account_calendar(account, p_now), to_ms(period_end(budget.period, local))) - to_ms(p_now));
      end if;
    end if;
  end loop;
  code := (array['account_budget_exceeded', 'team_budget_exceeded', 'member_budget_exceeded', 'key_budget_exceeded'])[refusing];
end
$$;

-- Counts a hold, or more of one, against the scopes. The lock of the account's row covers theirs.
create or replace function ledger_hold_scopes(p_account_id uuid, p_scopes text[], p_requests integer, p_amount bigint) returns void
language sql as $$
  insert into ledger_scopes as s (account_id, scope, in_flight, held_nano_usd)
    select p_account_id, scope, p_requests, p_amount from unnest(p_scopes) scope
    on conflict (account_id, scope)
      do update set in_flight = s.in_flight + p_requests, held_nano_usd = s.held_nano_usd + p_amount;
$$;

-- Counts it as no longer held.
create or replace function ledger_return_scopes(p_account_id uuid, p_scopes text[], p_amount bigint) returns void
language sql as $$
  update ledger_scopes set in_flight = in_flight - 1, held_nano_usd = held_nano_usd - p_amount
    where account_id = p_account_id and scope = any (p_scopes);
$$;
