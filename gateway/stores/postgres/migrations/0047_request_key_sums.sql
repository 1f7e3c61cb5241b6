-- Requests by key and hour or day, as request_account_sums has them by account: for the figures of a key, and for the keys of an account
-- that fail. A table of its own, as account, model and channel together with the key would be too many rows.
create table request_key_sums (
  grain text not null check (grain in ('hour', 'day')),
  starts_at timestamptz not null,
  key_id uuid not null,
  -- Empty for requests that were served.
  code text not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_nano_usd bigint not null,
  duration_ms bigint not null,
  streamed_tokens bigint not null,
  streamed_ms bigint not null,
  first_bytes bigint[] not null,
  durations bigint[] not null,
  primary key (grain, starts_at, key_id, code)
) with (fillfactor = 70);

create index request_key_sums_key on request_key_sums (key_id, grain, starts_at);
