-- The ledger in PostgreSQL, used without Redis. Same contract as gateway/ledger/ledger.ts. Every
-- operation locks the account's row first, so the operations of one account run one after another.
--
-- Locks are taken in the order of docs/decisions/0028-lock-order.md: this row before that of
-- `accounts`, and rows of several accounts in the order of their ids.

-- The clock of the store, in whole milliseconds. Tests move it: by `p_offset_ms`, or to that time
-- from 1e12 on.
create or replace function ledger_now(p_offset_ms bigint) returns timestamptz
language sql volatile as $$
  select case when p_offset_ms < 1000000000000
    then date_trunc('milliseconds', clock_timestamp()) + p_offset_ms * interval '1 millisecond'
    else from_ms(p_offset_ms) end;
$$;

-- Locks the account, and creates it from Postgres when the ledger does not have it; null when
-- Postgres does not either. Nothing is created when the ledger is in Redis: a process that has missed
-- the switch must not open a second ledger.
--
-- A new row is inserted empty and filled only by the transaction that has inserted it. Transactions
-- that meet it wait for that insertion, with no lock on `accounts`: one that had it would deadlock
-- with a settle, which locks `accounts` after the ledger's row. The row in `accounts` is then locked,
-- so that a credit waits: one that commits during the load would otherwise be neither in the balance
-- that was read nor applied to the new account. It is locked as strongly as a settle does, as two
-- transactions that both upgrade a weaker lock deadlock.
create or replace function ledger_lock_account(p_account_id uuid) returns ledger_accounts
language plpgsql as $$
declare
  account ledger_accounts;
begin
  select * into account from ledger_accounts where account_id = p_account_id for update;
  if found then
    return account;
  end if;
  insert into ledger_accounts (account_id, available_nano_usd, credit_sequence)
    select id, 0, 0 from accounts
    where id = p_account_id and not exists (select from settings where ledger_store = 'redis')
    on conflict do nothing;
  if found then
    perform from accounts where id = p_account_id for no key update;
    if not found then
      delete from ledger_accounts where account_id = p_account_id;
      return null;
    end if;
    update ledger_accounts l set available_nano_usd = greatest(a.balance_nano_usd, 0),
        owed_nano_usd = greatest(-a.balance_nano_usd, 0), credit_sequence = a.credit_sequence
      from accounts a where l.account_id = p_account_id and a.id = p_account_id
      returning l.* into account;
  else
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
