-- What the budgets of a key leave, and the milliseconds until those with less than `p_minimum`
-- reset: -1 never, 0 when all have enough.
create or replace function ledger_budget_room(p_key jsonb, p_held bigint, p_minimum bigint, p_now timestamptz,
  out room bigint, out wait_ms bigint
) language plpgsql stable as $$
declare
  budget record;
  remaining bigint;
begin
  room := 9007199254740991;
  wait_ms := 0;
  for budget in
    select b.period, b."limitNanoUsd" as limit_nano_usd,
      coalesce((select spent_nano_usd from key_spend s
        where s.key_id = (p_key ->> 'id')::uuid and s.period = b.period and s.period_start = period_start(b.period, p_now)), 0) as spent
    from jsonb_to_recordset(p_key -> 'budgets') as b(period text, "limitNanoUsd" bigint)
  loop
    remaining := greatest(0, budget.limit_nano_usd - budget.spent - p_held);
    room := least(room, remaining);
    if remaining < p_minimum then
      if budget.period = 'total' or budget.limit_nano_usd < p_minimum or wait_ms < 0 then
        wait_ms := -1;
      else
        wait_ms := greatest(wait_ms, ceil(extract(epoch from
          ((period_start(budget.period, p_now) at time zone 'UTC') + ('1 ' || budget.period)::interval) at time zone 'UTC' - p_now) * 1000));
      end if;
    end if;
  end loop;
end
$$;
