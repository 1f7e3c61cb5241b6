-- Opens an account of the probe's own, holds nothing on it and releases it; the exception at the
-- end undoes all of that. A block, and not a transaction of several statements: it takes one round
-- trip, and a pooler may be in between.
do $$
declare
  account uuid := gen_random_uuid();
  -- A UUID of version 7: the ledger takes an old one for closed.
  request uuid := (lpad(to_hex(to_ms(clock_timestamp())), 12, '0') || '7'
    || substr(replace(account::text, '-', ''), 14))::uuid;
  payer jsonb := jsonb_build_object(
    'account', jsonb_build_object('id', account, 'preference', 'balance_first', 'concurrencyMax', null),
    'key', jsonb_build_object('id', account, 'budgets', '[]'::jsonb),
    'group', jsonb_build_object('id', account),
    'subscriptions', '[]'::jsonb);
  answer text;
begin
  insert into ledger_accounts (account_id, available_nano_usd, owed_nano_usd, credit_sequence)
    values (account, 0, 0, 0);
  select code into answer from ledger_hold(request, payer, 0, 0, 0, 120000, 86400000, 0);
  if answer <> 'held' then
    raise exception 'the probe: hold answered %', answer;
  end if;
  answer := ledger_release(request, account, 86400000, 0);
  if answer <> 'released' then
    raise exception 'the probe: release answered %', answer;
  end if;
  raise exception using errcode = 'WPROB';
exception when sqlstate 'WPROB' then
  null;
end
$$;
