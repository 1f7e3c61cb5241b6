-- Which store the ledger is in. Null until a process has started on this database. Without it a process with a REDIS_URL and one
-- without kept a ledger each, and both spent the same balance.
alter table settings add column ledger_store text check (ledger_store in ('redis', 'postgres'));

-- As in migration 0011, but no account is taken in where the ledger is in Redis: a process that has missed the switch cannot open a
-- second ledger here.
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
