-- The profile of the target, as an operator has chosen it; null: by address and name.
alter table channel_models add column profile text check (length(profile) between 1 and 100);

-- Fields that upstreams have refused by name, and that requests can do without.
create table learned_refusals (
  id uuid primary key,
  channel_id uuid not null references channels (id) on delete cascade,
  -- What the upstream calls the model.
  upstream_model text not null,
  -- What the upstream is spoken to in.
  protocol text not null,
  -- Its path in a body of that protocol, such as 'reasoning.summary'.
  field text not null check (length(field) between 1 and 100),
  -- The account whose request was refused; null once requests of two accounts were. Until then only
  -- that account's requests do without the field.
  account_id uuid,
  -- The upstream's words, without secrets and prompts.
  message text not null check (length(message) <= 500),
  learned_at timestamptz not null default now(),
  -- Null: an operator keeps it for good.
  expires_at timestamptz,
  unique (channel_id, upstream_model, protocol, field)
);
create trigger learned_refusals_change after insert or update or delete on learned_refusals
  for each row execute function record_row_change('catalog', 'channel_id');
