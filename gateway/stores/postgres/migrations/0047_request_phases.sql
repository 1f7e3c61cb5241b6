-- When the steps of a request began or ended, in milliseconds from its arrival; null where it did not get so far, and in
-- entries of older gateways.
alter table requests
  -- It has been read and its key is known: its prompt is counted and money is held.
  add column hold_from_ms integer,
  add column held_ms integer,
  -- Of the last attempt.
  add column attempt_from_ms integer,
  -- The reply is over but for its last byte.
  add column settle_from_ms integer;

alter table request_attempts add column started_ms integer;

-- Requests by their whole duration (duration_bucket in functions/requests.sql); empty in sums of older gateways.
alter table request_sums add column durations bigint[] not null default '{}';
alter table request_account_sums add column durations bigint[] not null default '{}';
