-- The content log: requests and replies of keys whose owner keeps them, compressed and encrypted. docs/decisions/0055-content-log.md

alter table keys
  add column content_log boolean not null default false,
  -- Days that content is kept; still in force for what was kept after the log was switched off.
  add column content_log_days integer check (content_log_days between 1 and 365),
  -- The member who switched it on, who alone may read it. Null while there is no content.
  add column content_log_member_id bigint,
  -- Content from before is gone: not shown, not entered, and deleted by the next clean-up.
  add column content_erased_before timestamptz,
  add foreign key (account_id, content_log_member_id) references members (account_id, id),
  add check (not content_log or (content_log_days is not null and content_log_member_id is not null));

create index keys_content on keys (id) where content_log_member_id is not null;

-- As before, and whether content is kept.
drop trigger keys_change on keys;
create trigger keys_change after update of status, expires_at, budget_total_nano_usd, budget_day_nano_usd,
    budget_month_nano_usd, rpm, tpm, concurrency_max, ip_allowlist, model_allowlist, digest, group_id, member_id, team_id,
    content_log on keys
  for each row execute function record_row_change('key', 'id');

alter table accounts
  add column content_log_allowed boolean not null default true,
  -- Operators may read content of the account until then; null: never.
  add column content_support_until timestamptz;

create table content_records (
  request_id text primary key,
  created_at timestamptz not null,
  account_id uuid not null,
  key_id uuid not null references keys (id),
  outcome text not null check (outcome in ('kept', 'queue_full', 'quota_reached')),
  -- Sizes of request and reply as they passed, and where they were cut; null where nothing was cut.
  request_bytes bigint not null,
  reply_bytes bigint not null,
  cut_at_bytes integer,
  -- Names the key that `sealed` is encrypted with.
  seal_id text,
  sealed bytea,
  check ((outcome = 'kept') = (sealed is not null)),
  check ((seal_id is null) = (sealed is null))
);

-- Compressed and encrypted already: a second try costs time and gains nothing.
alter table content_records alter column sealed set storage external;

create index content_records_key on content_records (key_id, created_at);

-- Bytes that an account has stored on a day (UTC), for its quota.
create table content_log_volumes (
  account_id uuid not null references accounts (id),
  day date not null,
  bytes bigint not null,
  primary key (account_id, day)
);
