-- Channels of upstreams that are spoken to in protocols of their own.

alter table channels drop constraint channels_kind_check;
alter table channels add constraint channels_kind_check
  check (kind in ('openai', 'demo', 'anthropic', 'gemini', 'azure'));
