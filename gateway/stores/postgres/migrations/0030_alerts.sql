-- Alerts for operators, notices for customers, and the messages that wait to be sent.

-- What each process counts and sees, a row every few seconds, kept for two hours. One process judges all of them: channel health
-- and counters are otherwise in the memory of the process that serves.
create table process_reports (
  process_id uuid not null,
  at timestamptz not null default now(),
  -- Requests answered since the process began, and those of them with a status of 5xx; null where it serves none.
  requests bigint,
  failures bigint,
  -- Null where the process drains nothing.
  drain_lag_ms bigint,
  -- [{"channelId", "attempts", "failures", "state"}, …], counted since the process began.
  channels jsonb not null,
  -- [{"name", "isLate", "lastFailure"}, …]
  jobs jsonb not null,
  primary key (process_id, at)
);

create index process_reports_at on process_reports (at);

create table alert_targets (
  id uuid primary key,
  name text not null unique,
  kind text not null check (kind in ('mail', 'webhook')),
  -- A mail address or the address of the webhook.
  address text not null,
  language text not null default 'en' check (language in ('en', 'zh-CN')),
  -- The secret that webhooks are signed with.
  sealed text,
  -- Set by an operator: this webhook may be at a private, loopback or link-local address.
  allow_private boolean not null default false,
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'webhook') = (sealed is not null))
);

create table alert_rules (
  id uuid primary key,
  name text not null unique,
  kind text not null check (kind in
    ('channel_failing', 'error_rate', 'customer_balance', 'upstream_balance', 'drain_lag', 'job_not_run')),
  -- What the kind of rule compares with: shared/alerts.ts.
  terms jsonb not null,
  -- So long it must be true before it is told.
  for_minutes integer not null default 0 check (for_minutes >= 0),
  cooldown_minutes integer not null default 60 check (cooldown_minutes >= 0),
  -- Empty: all targets.
  target_ids uuid[] not null default '{}',
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- What a rule says of one thing: a channel, an account, a job. A row stays while it is true, and until the cooldown is over.
create table alert_states (
  rule_id uuid not null references alert_rules (id) on delete cascade,
  subject text not null,
  name text not null,
  -- Since when it is true; null when it no longer is.
  since timestamptz,
  -- It was told that it is true, and not yet that it is over.
  told boolean not null default false,
  told_at timestamptz,
  primary key (rule_id, subject)
);

-- The log: what was told, and about what.
create table alert_events (
  id uuid primary key,
  rule_id uuid references alert_rules (id) on delete set null,
  -- As it was called then.
  rule_name text not null,
  kind text not null check (kind in ('fired', 'resolved', 'test')),
  -- [{"id", "name", "value"}, …]
  subjects jsonb not null default '[]',
  created_at timestamptz not null default now()
);

create index alert_events_rule on alert_events (rule_id, id desc);
create index alert_events_created on alert_events (created_at);

-- Messages that wait to be sent or were sent, alerts and notices. A server that is away delays them and nothing else.
create table deliveries (
  id uuid primary key,
  event_id uuid references alert_events (id) on delete cascade,
  target_id uuid references alert_targets (id) on delete set null,
  -- Of a notice for a customer.
  account_id uuid references accounts (id),
  via text not null check (via in ('mail', 'webhook')),
  address text not null,
  subject text not null,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  -- Why the latest attempt failed.
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((event_id is null) <> (account_id is null))
);

create index deliveries_due on deliveries (via, due_at) where status = 'pending';
create index deliveries_event on deliveries (event_id) where event_id is not null;
create index deliveries_target on deliveries (target_id) where target_id is not null;
create index deliveries_account on deliveries (account_id) where account_id is not null;
create index deliveries_created on deliveries (created_at);

-- What an account wants to be told of. Without a row: no low balance, budgets at 90 %, plans three days ahead.
create table notice_settings (
  account_id uuid primary key references accounts (id),
  low_balance_nano_usd bigint check (low_balance_nano_usd > 0),
  -- Told that the balance is low; null again once it is not.
  low_balance_told_at timestamptz,
  budget_percent integer check (budget_percent between 1 and 100),
  plan_ending_days integer check (plan_ending_days between 1 and 30),
  updated_at timestamptz not null default now()
);

-- Notices that are sent once: about which thing, and which period or terms of it.
create table sent_notices (
  kind text not null check (kind in ('key_budget', 'plan_ending')),
  subject_id uuid not null,
  period text not null,
  account_id uuid not null references accounts (id),
  created_at timestamptz not null default now(),
  primary key (kind, subject_id, period)
);

create index sent_notices_account on sent_notices (account_id);

-- Keys whose budgets are looked at. Its columns are not those that usage changes.
create index keys_budgeted on keys (account_id)
  where budget_total_nano_usd is not null or budget_day_nano_usd is not null or budget_month_nano_usd is not null;
