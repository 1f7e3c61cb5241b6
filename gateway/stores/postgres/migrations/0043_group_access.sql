-- For whom a group is, and what single accounts pay in it.

alter table groups
  -- public: all accounts; code: accounts that entered its code; chosen: accounts that an operator chose.
  add column access text not null default 'public' check (access in ('public', 'code', 'chosen')),
  -- The code that opens it. The digest finds it, the sealed value shows it to operators.
  add column code_digest bytea unique,
  add column code_sealed text,
  add check ((code_digest is null) = (code_sealed is null));

-- Accounts that may use a group which is not public. Of a public group: accounts with a price of their own.
create table group_accounts (
  account_id uuid not null references accounts (id) on delete cascade,
  group_id uuid not null references groups (id) on delete cascade,
  -- What the account pays instead of the group's multiplier, in parts per million; null: the group's.
  multiplier_ppm bigint check (multiplier_ppm between 0 and 1000000000),
  joined_by text not null check (joined_by in ('operator', 'code')),
  created_at timestamptz not null default now(),
  primary key (account_id, group_id)
);

create index group_accounts_group on group_accounts (group_id, account_id);

-- Gateways hold an account's groups with its verified keys.
create trigger group_accounts_change after insert or update or delete on group_accounts
  for each row execute function record_row_change('account', 'account_id');

-- As before, and a key may change its group.
drop trigger keys_change on keys;
create trigger keys_change after update of status, expires_at, budget_total_nano_usd, budget_day_nano_usd,
    budget_month_nano_usd, rpm, tpm, concurrency_max, ip_allowlist, model_allowlist, digest, group_id on keys
  for each row execute function record_row_change('key', 'id');
