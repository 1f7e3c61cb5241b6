-- `code` as in HoldOutcome. retry_after_ms is null when a retry cannot succeed.
create or replace function ledger_hold(
  p_request_id uuid, p_payer jsonb, p_amount bigint, p_minimum bigint, p_tokens bigint, p_ttl_ms bigint, p_closed_memory_ms bigint, p_offset_ms bigint,
  out code text, out held bigint, out retry_after_ms bigint, out affordable bigint
) language plpgsql as $$
declare
  moment timestamptz := ledger_now(p_offset_ms);
  now_ms bigint := to_ms(moment);
  payer_account uuid := (p_payer -> 'account' ->> 'id')::uuid;
  payer_key uuid := (p_payer -> 'key' ->> 'id')::uuid;
  payer_group uuid := (p_payer -> 'group' ->> 'id')::uuid;
  key_rpm integer := (p_payer -> 'key' ->> 'rpm')::integer;
  key_tpm integer := (p_payer -> 'key' ->> 'tpm')::integer;
  group_rpm integer := (p_payer -> 'group' ->> 'rpm')::integer;
  group_tpm integer := (p_payer -> 'group' ->> 'tpm')::integer;
  account ledger_accounts := ledger_lock_account(payer_account);
  known ledger_requests;
  key ledger_keys;
  counters ledger_groups;
  budgets record;
  rate record;
  split record;
  allowed bigint;
  scopes text[] := ledger_scopes_of(p_payer);
begin
  held := 0;
  affordable := 0;
  if account.account_id is null then
    code := 'account_unknown';
    return;
  end if;
  known := ledger_find_request(p_request_id, moment, p_closed_memory_ms);
  if known.state is not null then
    if known.state <> 'open' then
      code := 'request_closed';
    elsif (known.amount_nano_usd, known.minimum_nano_usd, known.tokens, known.account_id, known.key_id, known.group_id)
        = (p_amount, p_minimum, p_tokens, payer_account, payer_key, payer_group) then
      code := 'exists';
      held := known.balance_nano_usd + parts_total(known.parts);
    else
      code := 'request_conflict';
    end if;
    return;
  end if;

  insert into ledger_keys (key_id) values (payer_key) on conflict do nothing;
  select * into key from ledger_keys where key_id = payer_key;
  budgets := ledger_budget_room(p_payer, scopes, p_minimum, moment);
  if budgets.room < p_minimum then
    code := budgets.code;
    retry_after_ms := nullif(budgets.wait_ms, -1);
    affordable := budgets.room;
    return;
  end if;
  if key.in_flight >= (p_payer -> 'key' ->> 'concurrencyMax')::integer then
    code := 'key_concurrency_exceeded';
  elsif account.in_flight >= (p_payer -> 'account' ->> 'concurrencyMax')::integer then
    code := 'account_concurrency_exceeded';
  end if;
  if code is not null then
    -- It is unknown when a request ends; one second keeps clients from retrying in a loop.
    retry_after_ms := 1000;
    return;
  end if;

  if group_rpm is not null or group_tpm is not null then
    insert into ledger_groups (account_id, group_id) values (payer_account, payer_group) on conflict do nothing;
    select * into counters from ledger_groups where account_id = payer_account and group_id = payer_group;
  end if;
  for rate in
    select limits.code, limits.name, r.taken, r.wait_ms
    from (values
      (1, 'key_rpm_exceeded', 'key_requests', ledger_level_under(key.requests_level, null, key_rpm),
        key.requests_at_ms, 1::bigint, key_rpm),
      (2, 'key_tpm_exceeded', 'key_tokens', ledger_level_under(key.tokens_level, key.tokens_limit, key_tpm),
        key.tokens_at_ms, p_tokens, key_tpm),
      (3, 'group_rpm_exceeded', 'group_requests', ledger_level_under(counters.requests_level, null, group_rpm),
        counters.requests_at_ms, 1::bigint, group_rpm),
      (4, 'group_tpm_exceeded', 'group_tokens', ledger_level_under(counters.tokens_level, counters.tokens_limit, group_tpm),
        counters.tokens_at_ms, p_tokens, group_tpm)
    ) as limits(place, code, name, level, at_ms, quantity, per_minute)
    cross join lateral ledger_take_rate(limits.level, limits.at_ms, limits.quantity, limits.per_minute, now_ms) r
    where limits.per_minute is not null
    order by limits.place
  loop
    if rate.taken is null then
      code := rate.code;
      retry_after_ms := nullif(rate.wait_ms, -1);
      return;
    end if;
    case rate.name
      when 'key_requests' then
        key.requests_level := rate.taken;
        key.requests_at_ms := now_ms;
      when 'key_tokens' then
        key.tokens_level := rate.taken;
        key.tokens_at_ms := now_ms;
        key.tokens_limit := key_tpm;
      when 'group_requests' then
        counters.requests_level := rate.taken;
        counters.requests_at_ms := now_ms;
      when 'group_tokens' then
        counters.tokens_level := rate.taken;
        counters.tokens_at_ms := now_ms;
        counters.tokens_limit := group_tpm;
    end case;
  end loop;

  allowed := least(p_amount, budgets.room);
  split := ledger_split(account.available_nano_usd, p_payer, allowed, moment);
  if split.balance + split.subscription < p_minimum then
    code := 'insufficient_balance';
    affordable := split.balance + split.subscription;
    select min(ceil(extract(epoch from w.ready_at - moment) * 1000)) into retry_after_ms
      from jsonb_array_elements(p_payer -> 'subscriptions') s
      cross join lateral ledger_windows(s, p_minimum - account.available_nano_usd, moment) w
      where w.possible;
    return;
  end if;

  held := split.balance + split.subscription;
  code := 'held';
  insert into ledger_requests (request_id, state, account_id, key_id, group_id, amount_nano_usd, minimum_nano_usd, tokens,
      balance_nano_usd, parts, key_tpm, group_tpm, expires_at, held_scopes)
    values (p_request_id, 'open', payer_account, payer_key, payer_group, p_amount, p_minimum, p_tokens,
      split.balance, split.parts, coalesce(key_tpm, 0), coalesce(group_tpm, 0),
      moment + p_ttl_ms * interval '1 millisecond', scopes);
  update ledger_accounts set available_nano_usd = available_nano_usd - split.balance,
      held_nano_usd = held_nano_usd + split.balance, in_flight = in_flight + 1
    where account_id = payer_account;
  update ledger_keys set in_flight = in_flight + 1, held_nano_usd = held_nano_usd + held,
      requests_level = key.requests_level, requests_at_ms = key.requests_at_ms,
      tokens_level = key.tokens_level, tokens_at_ms = key.tokens_at_ms, tokens_limit = key.tokens_limit
    where key_id = payer_key;
  if counters.account_id is not null then
    update ledger_groups set requests_level = counters.requests_level, requests_at_ms = counters.requests_at_ms,
        tokens_level = counters.tokens_level, tokens_at_ms = counters.tokens_at_ms, tokens_limit = counters.tokens_limit
      where account_id = payer_account and group_id = payer_group;
  end if;
  if cardinality(scopes) > 0 then
    perform ledger_hold_scopes(payer_account, scopes, 1, held);
  end if;
  perform ledger_hold_parts(split.parts);
end
$$;
