-- The request log: every request, also those that were refused or failed and so have no bill. Rows are not bills: they may be lost
-- or summed up, and are dropped after some days. One partition per day (functions/request-partitions.sql).
create table requests (
  request_id uuid not null,
  -- When the request came; the same time as in its id, so that an id alone leads to its partition.
  created_at timestamptz not null,
  -- Null while it is not known whose request it is.
  account_id uuid,
  key_id uuid,
  group_id uuid,
  -- Also of a key that does not exist.
  key_prefix text,
  model text,
  protocol text,
  -- Of the last attempt.
  channel_id uuid,
  status text not null,
  -- What the client saw; 0 when it left before.
  http_status smallint not null,
  -- Why the request failed: a code of the error catalogue, or how its reply ended. Null when it was served.
  code text,
  -- What the client was told.
  message text,
  stream boolean not null,
  attempts smallint not null,
  duration_ms integer not null,
  first_byte_ms integer,
  input_tokens bigint,
  output_tokens bigint,
  cost_nano_usd bigint not null,
  -- Of requests without a known key.
  client_address text,
  -- More than one: requests of a flood that are summed up in this row.
  requests integer not null default 1,
  primary key (created_at, request_id)
) partition by range (created_at);

create table requests_default partition of requests default;
create index requests_account on requests (account_id, created_at);
create index requests_key on requests (key_id, created_at);
create index requests_model on requests (model, created_at);
create index requests_channel on requests (channel_id, created_at);
create index requests_code on requests (code, created_at) where code is not null;
-- The few that failed among the many that were served.
create index requests_failed on requests (created_at) where code is not null;
create index requests_account_failed on requests (account_id, created_at) where code is not null;
create index requests_key_failed on requests (key_id, created_at) where code is not null;
create index requests_model_failed on requests (model, created_at) where code is not null;
create index requests_channel_failed on requests (channel_id, created_at) where code is not null;

-- Attempts that failed, also of requests that another channel then served.
create table request_attempts (
  request_id uuid not null,
  -- That of the request.
  created_at timestamptz not null,
  number smallint not null,
  channel_id uuid not null,
  -- Null when no status came.
  upstream_status smallint,
  -- What went wrong where it was no status: connect_failed, first_byte_timeout and so on.
  failure text,
  -- The upstream's words, without secrets and shortened.
  message text,
  duration_ms integer not null,
  -- Those of the request, so that a channel's attempts are searched without it.
  account_id uuid,
  key_id uuid,
  model text,
  code text,
  primary key (created_at, request_id, number)
) partition by range (created_at);

create table request_attempts_default partition of request_attempts default;
create index request_attempts_channel on request_attempts (channel_id, created_at);

-- What charts of operations are drawn from: every request is in here, by hour and by day, written together with the rows above.
create table request_sums (
  grain text not null check (grain in ('hour', 'day')),
  starts_at timestamptz not null,
  -- Empty where the request named none that is sold.
  model text not null,
  channel_id uuid,
  group_id uuid,
  -- Empty for requests that were served.
  code text not null,
  requests bigint not null,
  -- Attempts that failed at this channel, also of requests that were served by another.
  failed_attempts bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_nano_usd bigint not null,
  duration_ms bigint not null,
  -- Of streams: output tokens, and the time from the first of them to the last.
  streamed_tokens bigint not null,
  streamed_ms bigint not null,
  -- Requests by their time to the first token (first_byte_bucket in functions/requests.sql).
  first_bytes bigint[] not null,
  unique nulls not distinct (grain, starts_at, model, channel_id, group_id, code)
) with (fillfactor = 70);

-- The same by account: apart, as the product of both would be too many rows.
create table request_account_sums (
  grain text not null check (grain in ('hour', 'day')),
  starts_at timestamptz not null,
  account_id uuid not null,
  code text not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_nano_usd bigint not null,
  duration_ms bigint not null,
  streamed_tokens bigint not null,
  streamed_ms bigint not null,
  first_bytes bigint[] not null,
  primary key (grain, starts_at, account_id, code)
) with (fillfactor = 70);

create index request_account_sums_account on request_account_sums (account_id, grain, starts_at);

alter table settings add column request_log_days integer not null default 14 check (request_log_days between 1 and 365);
