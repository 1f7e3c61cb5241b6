-- Reasoning models are silent for minutes, before their first byte and between events. Ten minutes
-- are what vendors' SDKs wait. Channels that still have the former default get the new one.
alter table channels
  alter column first_byte_timeout_ms set default 600000,
  alter column idle_timeout_ms set default 600000;
update channels set first_byte_timeout_ms = 600000 where first_byte_timeout_ms = 120000;
update channels set idle_timeout_ms = 600000 where idle_timeout_ms = 120000;
