-- What subscriptions pay. A part is {"id", "startedAtMs", "amountNanoUsd"}.

create or replace function parts_total(parts jsonb) returns bigint
language sql immutable as $$
  select coalesce(sum((part ->> 'amountNanoUsd')::bigint), 0)::bigint from jsonb_array_elements(parts) part;
$$;

-- Adds two lists of parts by subscription, in the order of first appearance.
create or replace function join_parts(parts jsonb, more jsonb) returns jsonb
language sql immutable as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'startedAtMs', started, 'amountNanoUsd', amount) order by place), '[]')
  from (
    select part ->> 'id' as id, min((part ->> 'startedAtMs')::bigint) as started,
      sum((part ->> 'amountNanoUsd')::bigint)::bigint as amount, min(ordinality) as place
    from jsonb_array_elements(parts || more) with ordinality as entry(part, ordinality)
    group by 1
  ) joined;
$$;

-- Counts parts as held.
create or replace function ledger_hold_parts(p_parts jsonb) returns void
language sql as $$
  insert into ledger_subscriptions as s (subscription_id, held_nano_usd)
    select (part ->> 'id')::uuid, sum((part ->> 'amountNanoUsd')::bigint)
    from jsonb_array_elements(p_parts) part group by 1
    on conflict (subscription_id) do update set held_nano_usd = s.held_nano_usd + excluded.held_nano_usd;
$$;

-- Counts them as no longer held.
create or replace function ledger_return_parts(p_parts jsonb) returns void
language sql as $$
  update ledger_subscriptions s set held_nano_usd = s.held_nano_usd - returned.amount
    from (select (part ->> 'id')::uuid as id, sum((part ->> 'amountNanoUsd')::bigint) as amount
      from jsonb_array_elements(p_parts) part group by 1) returned
    where s.subscription_id = returned.id;
$$;

-- What the windows of a subscription have left, and when those with less than `p_needed` reset.
create or replace function ledger_windows(p_subscription jsonb, p_needed bigint, p_now timestamptz,
  out room bigint, out ready_at timestamptz, out possible boolean
) language plpgsql stable as $$
declare
  started timestamptz := from_ms((p_subscription ->> 'startedAtMs')::bigint);
  ends timestamptz := from_ms((p_subscription ->> 'endsAtMs')::bigint);
  held bigint := coalesce((select held_nano_usd from ledger_subscriptions where subscription_id = (p_subscription ->> 'id')::uuid), 0);
  allowance record;
begin
  possible := p_now < ends and jsonb_array_length(p_subscription -> 'allowances') > 0;
  ready_at := p_now;
  for allowance in
    select a."limitNanoUsd" as limit_nano_usd, window_end(a."window", started, p_now) as ends_at,
      coalesce((select used_nano_usd from subscription_windows w
        where w.subscription_id = (p_subscription ->> 'id')::uuid and w.allowance_window = a."window"
          and w.period_start = window_start(a."window", started, p_now)), 0) as used
    from jsonb_to_recordset(p_subscription -> 'allowances') as a("window" text, "limitNanoUsd" bigint)
  loop
    room := least(room, greatest(0, allowance.limit_nano_usd - allowance.used - held));
    if allowance.limit_nano_usd < p_needed then
      possible := false;
    end if;
    if allowance.limit_nano_usd - allowance.used - held < p_needed then
      ready_at := greatest(ready_at, allowance.ends_at);
    end if;
  end loop;
  if room is null or p_now >= ends or p_now < started then
    room := 0;
  end if;
  possible := possible and ready_at > p_now and ready_at < ends;
end
$$;

-- Splits an amount between the balance and the payer's subscriptions, in the order that the account
-- prefers.
create or replace function ledger_split(p_available bigint, p_payer jsonb, p_amount bigint, p_now timestamptz,
  out balance bigint, out subscription bigint, out parts jsonb
) language plpgsql stable as $$
declare
  entry jsonb;
  part bigint;
  wanted bigint := p_amount;
begin
  balance := 0;
  subscription := 0;
  parts := '[]';
  if p_payer -> 'account' ->> 'preference' = 'balance_first' then
    balance := least(p_amount, p_available);
    wanted := p_amount - balance;
  end if;
  for entry in select value from jsonb_array_elements(p_payer -> 'subscriptions') loop
    exit when subscription >= wanted;
    part := least((ledger_windows(entry, 0, p_now)).room, wanted - subscription);
    if part > 0 then
      subscription := subscription + part;
      parts := parts || jsonb_build_array(jsonb_build_object(
        'id', entry ->> 'id', 'startedAtMs', (entry ->> 'startedAtMs')::bigint, 'amountNanoUsd', part));
    end if;
  end loop;
  if p_payer -> 'account' ->> 'preference' <> 'balance_first' then
    balance := least(p_amount - subscription, p_available);
  end if;
end
$$;
