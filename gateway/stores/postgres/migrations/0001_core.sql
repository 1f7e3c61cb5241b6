-- Core tables: who pays, what may be used at which price, where it is sent, and the book of record.
-- Money is bigint nanodollars (1e-9 USD). Times are timestamptz in UTC.

-- Change feed -----------------------------------------------------------------------------------
-- Gateways poll it. The advisory lock is held until commit, so sequence order is commit order and a
-- poller that has seen n will never be shown a smaller number later.
create table changes (
  sequence bigint generated always as identity primary key,
  kind text not null,
  ref text not null,
  at timestamptz not null default now()
);

create function record_change(change_kind text, change_ref text) returns void
language sql as $$
  select pg_advisory_xact_lock(7318349394477056);
  insert into changes (kind, ref) values (change_kind, change_ref);
$$;

-- Trigger for tables that gateways hold copies of: argument 0 is the kind, argument 1 the column that names the row.
create function record_row_change() returns trigger
language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  perform record_change(tg_argv[0], changed ->> tg_argv[1]);
  return null;
end
$$;

-- Accounts and users ------------------------------------------------------------------------------
create table accounts (
  id uuid primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  concurrency_max integer check (concurrency_max > 0),
  subscription_preference text not null default 'subscription_first'
    check (subscription_preference in ('subscription_first', 'balance_first')),
  -- The book: credits minus drained settlements. The live balance is the ledger's.
  balance_nano_usd bigint not null default 0,
  -- The last sequence in credits.
  credit_sequence bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create trigger accounts_change after update of status, concurrency_max, subscription_preference on accounts
  for each row execute function record_row_change('account', 'id');

create table users (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  email text not null unique check (email = lower(email)),
  password_hash text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  email_verified_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index users_account on users (account_id);

-- Groups, models, prices ----------------------------------------------------------------------------
create table groups (
  id uuid primary key,
  name text not null unique,
  description text not null default '',
  -- Price multiplier in parts per million: 1000000 is 1.
  multiplier_ppm bigint not null default 1000000 check (multiplier_ppm between 0 and 1000000000),
  -- Rate limits of each account within this group.
  rpm integer check (rpm > 0),
  tpm integer check (tpm > 0),
  status text not null default 'active' check (status in ('active', 'disabled')),
  sort_order integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table models (
  id uuid primary key,
  -- The public ID that clients send.
  public_id text not null unique check (public_id ~ '^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}$'),
  display_name text not null,
  vendor text not null default '',
  description text not null default '',
  context_tokens_max integer not null check (context_tokens_max > 0),
  output_tokens_max integer not null check (output_tokens_max > 0),
  capabilities text[] not null default '{}',
  status text not null default 'active' check (status in ('active', 'disabled')),
  sort_order integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Price history: the row with the latest effective_from that has passed is in force. Rows are never changed.
-- Prices per token kind are nanodollars per 1,000,000 tokens.
create table prices (
  model_id uuid not null references models (id) on delete cascade,
  effective_from timestamptz not null,
  input_nano_usd bigint not null check (input_nano_usd >= 0),
  cached_input_nano_usd bigint not null check (cached_input_nano_usd >= 0),
  cache_write_nano_usd bigint not null check (cache_write_nano_usd >= 0),
  output_nano_usd bigint not null check (output_nano_usd >= 0),
  per_call_nano_usd bigint not null default 0 check (per_call_nano_usd >= 0),
  created_at timestamptz not null default now(),
  primary key (model_id, effective_from)
);

create table group_models (
  group_id uuid not null references groups (id) on delete cascade,
  model_id uuid not null references models (id) on delete cascade,
  primary key (group_id, model_id)
);

-- Channels ------------------------------------------------------------------------------------------
create table channels (
  id uuid primary key,
  name text not null unique,
  kind text not null default 'openai' check (kind in ('openai', 'demo')),
  base_url text not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  -- Higher priority is tried first; within a priority, weight decides.
  priority integer not null default 0,
  weight integer not null default 1 check (weight between 1 and 1000),
  connect_timeout_ms integer not null default 5000 check (connect_timeout_ms > 0),
  first_byte_timeout_ms integer not null default 120000 check (first_byte_timeout_ms > 0),
  idle_timeout_ms integer not null default 120000 check (idle_timeout_ms > 0),
  total_timeout_ms integer not null default 900000 check (total_timeout_ms > 0),
  concurrency_max integer check (concurrency_max > 0),
  -- Set by an operator: this channel may point at a private, loopback or link-local address.
  allow_private boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table channel_credentials (
  id uuid primary key,
  channel_id uuid not null references channels (id) on delete cascade,
  -- AES-256-GCM under SECRET_KEY; see gateway/secrets.
  sealed text not null,
  -- The last four characters, to tell credentials apart.
  hint text not null default '',
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null default now()
);

create table channel_models (
  channel_id uuid not null references channels (id) on delete cascade,
  model_id uuid not null references models (id) on delete cascade,
  -- What the upstream calls the model.
  upstream_name text not null,
  primary key (channel_id, model_id)
);

-- A channel without rows here serves every group.
create table channel_groups (
  channel_id uuid not null references channels (id) on delete cascade,
  group_id uuid not null references groups (id) on delete cascade,
  primary key (channel_id, group_id)
);

create trigger groups_change after insert or update or delete on groups
  for each row execute function record_row_change('catalog', 'id');
create trigger models_change after insert or update or delete on models
  for each row execute function record_row_change('catalog', 'id');
create trigger prices_change after insert or update or delete on prices
  for each row execute function record_row_change('catalog', 'model_id');
create trigger group_models_change after insert or update or delete on group_models
  for each row execute function record_row_change('catalog', 'group_id');
create trigger channels_change after insert or update or delete on channels
  for each row execute function record_row_change('catalog', 'id');
create trigger channel_credentials_change after insert or update or delete on channel_credentials
  for each row execute function record_row_change('catalog', 'channel_id');
create trigger channel_models_change after insert or update or delete on channel_models
  for each row execute function record_row_change('catalog', 'channel_id');
create trigger channel_groups_change after insert or update or delete on channel_groups
  for each row execute function record_row_change('catalog', 'channel_id');

-- Keys ------------------------------------------------------------------------------------------------
create table keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  group_id uuid not null references groups (id),
  name text not null,
  -- HMAC-SHA256 of the key under a key derived from SECRET_KEY. The key itself is stored nowhere.
  digest bytea not null unique check (octet_length(digest) = 32),
  -- "sk-" and a few characters, to recognise it.
  prefix text not null,
  status text not null default 'active' check (status in ('active', 'disabled', 'deleted')),
  expires_at timestamptz,
  budget_total_nano_usd bigint check (budget_total_nano_usd >= 0),
  budget_day_nano_usd bigint check (budget_day_nano_usd >= 0),
  budget_month_nano_usd bigint check (budget_month_nano_usd >= 0),
  rpm integer check (rpm > 0),
  tpm integer check (tpm > 0),
  concurrency_max integer check (concurrency_max > 0),
  -- CIDR ranges; empty allows every address.
  ip_allowlist text[] not null default '{}',
  -- Public model IDs; empty allows every model of the group.
  model_allowlist text[] not null default '{}',
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index keys_account on keys (account_id, created_at desc);

-- last_used_at is written by the drain and must not wake the gateways.
create trigger keys_change_insert_delete after insert or delete on keys
  for each row execute function record_row_change('key', 'id');
create trigger keys_change after update of status, expires_at, budget_total_nano_usd, budget_day_nano_usd,
    budget_month_nano_usd, rpm, tpm, concurrency_max, ip_allowlist, model_allowlist, digest on keys
  for each row execute function record_row_change('key', 'id');

-- Plans and subscriptions --------------------------------------------------------------------------------
create table plans (
  id uuid primary key,
  name text not null unique,
  description text not null default '',
  price_nano_usd bigint not null check (price_nano_usd >= 0),
  period_days integer not null default 30 check (period_days between 1 and 366),
  status text not null default 'active' check (status in ('active', 'disabled')),
  sort_order integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table plan_groups (
  plan_id uuid not null references plans (id) on delete cascade,
  group_id uuid not null references groups (id) on delete cascade,
  primary key (plan_id, group_id)
);

create table plan_allowances (
  plan_id uuid not null references plans (id) on delete cascade,
  allowance_window text not null check (allowance_window in ('5h', 'day', 'week', 'month')),
  limit_nano_usd bigint not null check (limit_nano_usd >= 0),
  primary key (plan_id, allowance_window)
);

-- A plan bought. Terms are copied at purchase, so that a later change of the plan touches no one who has it.
create table subscriptions (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  plan_id uuid not null references plans (id),
  status text not null default 'active' check (status in ('active', 'cancelled', 'ended')),
  started_at timestamptz not null,
  ends_at timestamptz not null,
  renews boolean not null default false,
  -- [{"window": "5h", "limitNanoUsd": 1000000000}, …]
  allowances jsonb not null,
  group_ids uuid[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index subscriptions_account on subscriptions (account_id, ends_at desc);

create trigger subscriptions_change after insert or update or delete on subscriptions
  for each row execute function record_row_change('account', 'account_id');

-- Credits -------------------------------------------------------------------------------------------------
-- Everything that changes an account's money other than usage. Insert only through add_credit.
create table credits (
  account_id uuid not null references accounts (id),
  sequence bigint not null,
  entry_id text not null unique,
  amount_nano_usd bigint not null,
  kind text not null check (kind in
    ('top_up', 'redemption', 'refund', 'adjustment', 'plan_purchase', 'bootstrap', 'recovered_usage')),
  reason text not null default '',
  -- Who did it: a user id, 'stripe', 'system'.
  actor text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, sequence)
);

create trigger credits_change after insert on credits
  for each row execute function record_row_change('credit', 'account_id');

-- Adds a credit once: the same entry id again answers the sequence it got the first time, and null applied.
create function add_credit(
  p_entry_id text, p_account_id uuid, p_amount_nano_usd bigint, p_kind text, p_reason text, p_actor text,
  out sequence bigint, out applied boolean
) language plpgsql as $$
begin
  -- The row lock orders the credits of one account, so that sequences have no gaps.
  perform 1 from accounts where id = p_account_id for update;
  if not found then
    raise exception 'account % does not exist', p_account_id using errcode = 'foreign_key_violation';
  end if;
  select c.sequence into sequence from credits c where c.entry_id = p_entry_id;
  if found then
    applied := false;
    return;
  end if;
  update accounts set balance_nano_usd = balance_nano_usd + p_amount_nano_usd,
      credit_sequence = credit_sequence + 1, updated_at = now()
    where id = p_account_id
    returning credit_sequence into sequence;
  insert into credits (account_id, sequence, entry_id, amount_nano_usd, kind, reason, actor)
    values (p_account_id, sequence, p_entry_id, p_amount_nano_usd, p_kind, p_reason, p_actor);
  insert into journal_entries (account_id, debit, credit, amount_nano_usd, reference)
    values (p_account_id, 'cash', 'customer_balance', p_amount_nano_usd, 'credit:' || p_entry_id);
  applied := true;
end
$$;

-- Append-only double entry. One row moves one amount from one book account to another.
-- Usage is one row per account and drained batch; records name the batch.
create table journal_entries (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id),
  debit text not null,
  credit text not null,
  amount_nano_usd bigint not null,
  reference text not null,
  at timestamptz not null default now()
);

create index journal_entries_account on journal_entries (account_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;

create trigger journal_entries_append_only before update or delete on journal_entries
  for each row execute function refuse_change();
create trigger credits_append_only before update or delete on credits
  for each row execute function refuse_change();
