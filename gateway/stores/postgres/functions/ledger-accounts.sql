-- The ledger in PostgreSQL, used without Redis. Same contract as gateway/ledger/ledger.ts. Every
-- operation locks the account's row first, so the operations of one account run one after another.

-- The clock of the store, in whole milliseconds. Tests move it: by `p_offset_ms`, or to that time
-- from 1e12 on.
create or replace function ledger_now(p_offset_ms bigint) returns timestamptz
language sql volatile as $$
  select case when p_offset_ms < 1000000000000
    then date_trunc('milliseconds', clock_timestamp()) + p_offset_ms * interval '1 millisecond'
    else from_ms(p_offset_ms) end;
$$;

-- Locks the account, and creates it from Postgres when the ledger does not have it; null when
-- Postgres does not either. The row in `accounts` is read `for share`, so that a credit waits: one
-- that commits during the load would otherwise be neither in the balance that was read nor applied
-- to the new account. Nothing is created when the ledger is in Redis: a process that has missed the
-- switch must not open a second ledger.
create or replace function ledger_lock_account(p_account_id uuid) returns ledger_accounts
language plpgsql as $$
declare
  account ledger_accounts;
begin
  select * into account from ledger_accounts where account_id = p_account_id for update;
  if not found then
    insert into ledger_accounts (account_id, available_nano_usd, owed_nano_usd, credit_sequence)
      select id, greatest(balance_nano_usd, 0), greatest(-balance_nano_usd, 0), credit_sequence
      from accounts where id = p_account_id and not exists (select from settings where ledger_store = 'redis') for share
      on conflict do nothing;
    select * into account from ledger_accounts where account_id = p_account_id for update;
  end if;
  return account;
end
$$;

-- Adds returned or new money. What is owed is paid first.
create or replace function ledger_give(p_account_id uuid, p_amount bigint) returns void
language sql as $$
  update ledger_accounts set
      available_nano_usd = available_nano_usd + p_amount - least(available_nano_usd + p_amount, owed_nano_usd),
      owed_nano_usd = owed_nano_usd - least(available_nano_usd + p_amount, owed_nano_usd)
    where account_id = p_account_id;
$$;
