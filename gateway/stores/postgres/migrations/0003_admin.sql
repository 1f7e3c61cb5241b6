-- What the admin API keeps: sessions, tokens, codes, orders, settings and the audit log.
-- Secrets that a person carries (sessions, tokens, links, codes) have at least 80 random bits and are kept as
-- SHA-256 digests; what must be read again is sealed under SECRET_KEY.

-- Users ------------------------------------------------------------------------------------------------
alter table users
  add column language text check (language in ('en', 'zh-CN')),
  add column theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  add column last_login_at timestamptz,
  -- Registered while confirmation was demanded: no login before it.
  add column must_verify_email boolean not null default false;

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  digest bytea not null unique check (octet_length(digest) = 32),
  address text not null,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table access_tokens (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  scope text not null check (scope in ('read', 'full')),
  digest bytea not null unique check (octet_length(digest) = 32),
  prefix text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);

create index access_tokens_user on access_tokens (user_id);

-- Single-use links sent by mail. One of a purpose per user: a newer link ends the older one.
create table link_tokens (
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  digest bytea not null unique check (octet_length(digest) = 32),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (user_id, purpose)
);

create table second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  sealed text not null,
  confirmed_at timestamptz,
  -- The last time step whose code was taken: a code that was seen works no second time.
  used_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  digest bytea not null check (octet_length(digest) = 32),
  used_at timestamptz,
  primary key (user_id, digest)
);

create table invitation_codes (
  id uuid primary key,
  digest bytea not null unique check (octet_length(digest) = 32),
  sealed text not null,
  uses_max integer not null check (uses_max > 0),
  uses_count integer not null default 0 check (uses_count between 0 and uses_max),
  status text not null default 'active' check (status in ('active', 'disabled')),
  expires_at timestamptz,
  note text not null default '',
  created_at timestamptz not null default now()
);

-- Attempts at things that pay a guesser, per subject (a digest of purpose and e-mail address).
create table attempt_counters (
  subject bytea primary key,
  attempts integer not null,
  window_ends_at timestamptz not null
);

create index attempt_counters_window on attempt_counters (window_ends_at);

-- Settings: one row ----------------------------------------------------------------------------------------
create table settings (
  only_row boolean primary key default true check (only_row),
  site_name text not null default 'Weir',
  registration_mode text not null default 'open' check (registration_mode in ('open', 'invitation', 'closed')),
  email_verification_required boolean not null default false,
  registration_credit_nano_usd bigint not null default 0 check (registration_credit_nano_usd >= 0),
  top_up_min_nano_usd bigint not null default 5000000000 check (top_up_min_nano_usd > 0),
  top_up_max_nano_usd bigint not null default 1000000000000 check (top_up_max_nano_usd >= top_up_min_nano_usd),
  top_up_presets_nano_usd bigint[] not null default '{10000000000,25000000000,50000000000,100000000000}',
  announcement text not null default '',
  support_url text not null default '',
  usage_retention_months integer not null default 13 check (usage_retention_months between 1 and 120),
  updated_at timestamptz not null default now()
);

insert into settings default values;

-- Keys -------------------------------------------------------------------------------------------------------
create index keys_account_id on keys (account_id, id desc);

-- Further values of a key that work for a while: the former value after a rotation, and the playground's.
create table key_aliases (
  digest bytea primary key check (octet_length(digest) = 32),
  key_id uuid not null references keys (id) on delete cascade,
  purpose text not null check (purpose in ('rotation', 'playground')),
  works_until timestamptz not null,
  created_at timestamptz not null default now()
);

create index key_aliases_key on key_aliases (key_id);
create index key_aliases_expiry on key_aliases (works_until);

create trigger key_aliases_change after insert or update or delete on key_aliases
  for each row execute function record_row_change('key', 'key_id');

-- Channels ---------------------------------------------------------------------------------------------------
create table channel_tests (
  id uuid primary key,
  channel_id uuid not null references channels (id) on delete cascade,
  ok boolean not null,
  upstream_name text not null,
  latency_ms integer not null,
  http_status integer,
  reply text,
  error text,
  created_at timestamptz not null default now()
);

create index channel_tests_channel on channel_tests (channel_id, created_at desc);

-- Redemption codes -----------------------------------------------------------------------------------------
create table redemption_batches (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('balance', 'plan')),
  amount_nano_usd bigint check (amount_nano_usd > 0),
  plan_id uuid references plans (id),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  check ((kind = 'balance') = (amount_nano_usd is not null)),
  check ((kind = 'plan') = (plan_id is not null))
);

create table redemption_codes (
  id uuid primary key,
  batch_id uuid not null references redemption_batches (id),
  digest bytea not null unique check (octet_length(digest) = 32),
  sealed text not null,
  hint text not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  redeemed_at timestamptz,
  redeemed_by uuid references accounts (id),
  created_at timestamptz not null default now(),
  check ((redeemed_at is null) = (redeemed_by is null))
);

create index redemption_codes_batch on redemption_codes (batch_id, id);

-- Subscriptions ----------------------------------------------------------------------------------------------
alter table subscriptions
  -- The purchase a renewal is being made under; kept until it is done, so that a crash repeats the same one.
  add column renewal_id uuid;

create index subscriptions_due on subscriptions (ends_at) where status = 'active';

-- One period bought. Its id is the purchase's: the same purchase again finds it and does nothing.
create table subscription_periods (
  id uuid primary key,
  subscription_id uuid not null references subscriptions (id),
  account_id uuid not null references accounts (id),
  plan_id uuid not null references plans (id),
  source text not null check (source in ('balance', 'renewal', 'card', 'code', 'grant')),
  price_nano_usd bigint not null check (price_nano_usd >= 0),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_at timestamptz not null default now()
);

create index subscription_periods_subscription on subscription_periods (subscription_id, created_at desc);

-- Orders -------------------------------------------------------------------------------------------------------
create table orders (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  user_id uuid not null references users (id),
  kind text not null check (kind in ('top_up', 'plan')),
  amount_nano_usd bigint not null check (amount_nano_usd > 0),
  plan_id uuid references plans (id),
  status text not null default 'pending' check
    (status in ('pending', 'paid', 'expired', 'disputed', 'partly_refunded', 'refunded')),
  checkout_session_id text unique,
  checkout_url text,
  payment_intent_id text unique,
  -- Why an order is disputed.
  dispute text,
  expires_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'plan') = (plan_id is not null))
);

create index orders_account on orders (account_id, id desc);
create index orders_pending on orders (created_at) where status = 'pending';

create table order_refunds (
  id uuid primary key,
  order_id uuid not null references orders (id),
  amount_nano_usd bigint not null check (amount_nano_usd > 0),
  reason text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  stripe_refund_id text unique,
  actor text not null,
  created_at timestamptz not null default now()
);

create index order_refunds_order on order_refunds (order_id);
create index order_refunds_pending on order_refunds (created_at) where status = 'pending';

-- Idempotency keys of money routes ---------------------------------------------------------------------------
create table idempotency_keys (
  user_id uuid not null references users (id) on delete cascade,
  route text not null,
  key text not null,
  -- SHA-256 of the request's parameters and body.
  request_digest bytea not null,
  -- The id that everything made by this request is known by, so that a repeat finds it.
  operation_id uuid not null,
  -- A request is at work until then; a crashed one frees the key by time.
  locked_until timestamptz,
  -- Names the request that is at work.
  lock_id uuid,
  -- Null until the first answer.
  reply_status integer,
  -- Sealed: a reply may hold codes that are stored nowhere in clear.
  reply_sealed text,
  created_at timestamptz not null default now(),
  primary key (user_id, route, key)
);

create index idempotency_keys_age on idempotency_keys (created_at);

-- Usage -----------------------------------------------------------------------------------------------------------
-- The searches of the console, each newest first from any position. Entering a batch takes as long with them as
-- without, to within what can be measured: reading its JSON is what costs.
create index usage_records_time on usage_records (created_at desc, request_id desc);
create index usage_records_model on usage_records (model, created_at desc, request_id desc);
create index usage_records_group on usage_records (group_id, created_at desc, request_id desc);
create index usage_records_channel on usage_records (channel_id, created_at desc, request_id desc)
  where channel_id is not null;
create index usage_records_account_model on usage_records (account_id, model, created_at desc, request_id desc);
create index usage_records_account_group on usage_records (account_id, group_id, created_at desc, request_id desc);
-- Few records did not complete, so these two are small.
create index usage_records_failures on usage_records (created_at desc, request_id desc) where status <> 'completed';
create index usage_records_account_failures on usage_records (account_id, created_at desc, request_id desc)
  where status <> 'completed';

-- Audit log ------------------------------------------------------------------------------------------------------
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id uuid,
  user_email text,
  by text not null,
  address text not null,
  request_id text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb
);

create index audit_entries_subject on audit_entries (subject_kind, subject_id, id desc);
create index audit_entries_user on audit_entries (user_id, id desc);
create index audit_entries_action on audit_entries (action, id desc);
create index audit_entries_at on audit_entries (at);

create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();

-- Truncate fires no row trigger.
create trigger audit_entries_keep before truncate on audit_entries
  for each statement execute function refuse_change();
