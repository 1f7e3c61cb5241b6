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

-- Chat services as recipients. Of all but mail the address is sealed, with what it is signed by.
alter table alert_targets drop constraint alert_targets_kind_check;
alter table alert_targets drop constraint alert_targets_check;
alter table alert_targets
  add column chat_id text,
  add constraint alert_targets_kind_check check (kind in
    ('mail', 'webhook', 'slack', 'discord', 'telegram', 'feishu', 'dingtalk')),
  add constraint alert_targets_check check ((kind = 'mail') = (sealed is null)),
  add constraint alert_targets_chat_check check ((kind = 'telegram') = (chat_id is not null));

alter table deliveries drop constraint deliveries_via_check;
alter table deliveries add constraint deliveries_via_check check (via in
  ('mail', 'webhook', 'slack', 'discord', 'telegram', 'feishu', 'dingtalk'));

alter table alert_rules drop constraint alert_rules_kind_check;
alter table alert_rules
  add constraint alert_rules_kind_check check (kind in
    ('channel_failing', 'error_rate', 'customer_balance', 'upstream_balance', 'drain_lag', 'job_not_run',
     'registration_wave', 'first_token_slow', 'spend_anomaly', 'store_problem', 'refund_waiting')),
  -- The ready-made rule that it is, changed or not.
  add column ready text unique;
