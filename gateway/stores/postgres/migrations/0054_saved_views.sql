-- Filters of a list of the console that a person has named: `query` is the query of the list's address.
create table saved_views (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  list text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default now(),
  unique (user_id, list, name)
);

-- What lists are sorted by, beyond the time.
create index orders_amount on orders (amount_nano_usd, id);
create index credits_amount on credits (amount_nano_usd, account_id, sequence);
create index requests_duration on requests (duration_ms, request_id);
create index requests_cost on requests (cost_nano_usd, request_id);
create index requests_group on requests (group_id, created_at);
