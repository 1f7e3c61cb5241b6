-- As in migration 0002, but the account is read under a lock that a credit waits for. Before, one that was committed while an account was
-- being loaded for the first time was neither in what had been read, nor did it find anything to be added to.
create or replace function ledger_lock_account(p_account_id uuid) returns ledger_accounts
language plpgsql as $$
declare
  account ledger_accounts;
begin
  select * into account from ledger_accounts where account_id = p_account_id for update;
  if not found then
    insert into ledger_accounts (account_id, available_nano_usd, owed_nano_usd, credit_sequence)
      select id, greatest(balance_nano_usd, 0), greatest(-balance_nano_usd, 0), credit_sequence
      from accounts where id = p_account_id for share
      on conflict do nothing;
    select * into account from ledger_accounts where account_id = p_account_id for update;
  end if;
  return account;
end
$$;
