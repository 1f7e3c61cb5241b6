-- Ends a hold: returns what the account, its scopes, the key and the subscriptions had held, and
-- corrects the token counters. `p_tokens` null: the tokens of the hold stay counted.
create or replace function ledger_return_hold(hold ledger_requests, p_tokens bigint, p_now_ms bigint) returns void
language plpgsql as $$
declare
  difference bigint := (p_tokens - hold.tokens) * 60000;
begin
  update ledger_accounts set held_nano_usd = held_nano_usd - hold.balance_nano_usd, in_flight = in_flight - 1
    where account_id = hold.account_id;
  update ledger_keys set in_flight = in_flight - 1,
      held_nano_usd = held_nano_usd - hold.balance_nano_usd - parts_total(hold.parts)
    where key_id = hold.key_id;
  perform ledger_return_parts(hold.parts);
  if cardinality(hold.held_scopes) > 0 then
    perform ledger_return_scopes(hold.account_id, hold.held_scopes, hold.balance_nano_usd + parts_total(hold.parts));
  end if;
  -- Replaces the tokens of the hold by those really used. What has drained since is not restored.
  if difference is not null and hold.key_tpm > 0 then
    update ledger_keys set tokens_at_ms = p_now_ms, tokens_limit = hold.key_tpm,
        tokens_level = greatest(0, difference + ledger_level(
          ledger_level_under(tokens_level, tokens_limit, hold.key_tpm), tokens_at_ms, hold.key_tpm, p_now_ms))
      where key_id = hold.key_id;
  end if;
  if difference is not null and hold.group_tpm > 0 then
    update ledger_groups set tokens_at_ms = p_now_ms, tokens_limit = hold.group_tpm,
        tokens_level = greatest(0, difference + ledger_level(
          ledger_level_under(tokens_level, tokens_limit, hold.group_tpm), tokens_at_ms, hold.group_tpm, p_now_ms))
      where account_id = hold.account_id and group_id = hold.group_id;
  end if;
end
$$;

-- Takes an amount from what a hold has, in the order that the account prefers.
create or replace function ledger_charge_held(hold ledger_requests, p_balance_first boolean, p_actual bigint,
  out balance bigint, out subscription bigint, out parts jsonb
) language plpgsql immutable as $$
declare
  entry jsonb;
  part bigint;
begin
  balance := case when p_balance_first then least(hold.balance_nano_usd, p_actual) else 0 end;
  subscription := 0;
  parts := '[]';
  for entry in select value from jsonb_array_elements(hold.parts) loop
    part := least((entry ->> 'amountNanoUsd')::bigint, p_actual - balance - subscription);
    if part > 0 then
      subscription := subscription + part;
      parts := parts || jsonb_build_array(jsonb_set(entry, '{amountNanoUsd}', to_jsonb(part)));
    end if;
  end loop;
  if not p_balance_first then
    balance := least(hold.balance_nano_usd, p_actual - subscription);
  end if;
end
$$;

-- `code` as in SettleOutcome. The usage record is inserted in the same transaction.
create or replace function ledger_settle(
  p_request_id uuid, p_payer jsonb, p_actual bigint, p_tokens bigint, p_record jsonb, p_closed_memory_ms bigint, p_offset_ms bigint,
  out code text, out balance bigint, out subscription bigint, out uncollected bigint
) language plpgsql as $$
declare
  moment timestamptz := ledger_now(p_offset_ms);
  payer_account uuid := (p_payer -> 'account' ->> 'id')::uuid;
  payer_key uuid := (p_payer -> 'key' ->> 'id')::uuid;
  account ledger_accounts := ledger_lock_account(payer_account);
  known ledger_requests;
  charged record;
  more record;
  parts jsonb := '[]';
begin
  balance := 0;
  subscription := 0;
  uncollected := 0;
  if account.account_id is null then
    code := 'account_unknown';
    return;
  end if;
  known := ledger_find_request(p_request_id, moment, p_closed_memory_ms);
  if known.state = 'settled' then
    code := 'exists';
    balance := known.charged_balance_nano_usd;
    subscription := known.charged_subscription_nano_usd;
    uncollected := known.uncollected_nano_usd;
    return;
  elsif known.state = 'released' then
    code := 'request_closed';
    return;
  elsif known.state = 'open' then
    if (known.account_id, known.key_id) is distinct from (payer_account, payer_key) then
      raise exception 'request % is settled for another account or key', p_request_id;
    end if;
    code := 'settled';
    perform ledger_return_hold(known, p_tokens, to_ms(moment));
    charged := ledger_charge_held(known, p_payer -> 'account' ->> 'preference' = 'balance_first', p_actual);
    balance := charged.balance;
    subscription := charged.subscription;
    parts := charged.parts;
    perform ledger_give(payer_account, known.balance_nano_usd - balance);
  else
    code := 'settled_late';
  end if;

  if balance + subscription < p_actual then
    -- enter_usage counts what the hold has paid only below; until then it must not look unused.
    perform ledger_hold_parts(parts);
    more := ledger_split((select available_nano_usd from ledger_accounts where account_id = payer_account), p_payer,
      p_actual - balance - subscription, moment);
    update ledger_accounts set available_nano_usd = available_nano_usd - more.balance where account_id = payer_account;
    perform ledger_return_parts(parts);
    balance := balance + more.balance;
    subscription := subscription + more.subscription;
    parts := join_parts(parts, more.parts);
  end if;
  uncollected := p_actual - balance - subscription;
  insert into ledger_requests (request_id, state, account_id, closed_at, charged_balance_nano_usd, charged_subscription_nano_usd, uncollected_nano_usd)
    values (p_request_id, 'settled', payer_account, moment, balance, subscription, uncollected)
    on conflict (request_id) do update set state = 'settled', closed_at = excluded.closed_at,
      charged_balance_nano_usd = excluded.charged_balance_nano_usd,
      charged_subscription_nano_usd = excluded.charged_subscription_nano_usd,
      uncollected_nano_usd = excluded.uncollected_nano_usd;
  perform enter_usage(json_build_array(p_record || jsonb_build_object('settledAtMs', to_ms(moment), 'balanceNanoUsd', balance,
    'uncollectedNanoUsd', uncollected, 'subscriptions', parts)), false);
end
$$;
