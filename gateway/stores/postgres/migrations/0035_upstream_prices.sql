-- What upstreams cost, so that profit can be told: prices per channel and model, the cost of each request, sums of both, and what is
-- left at upstreams that tell it.

-- What a channel's upstream asks for a model: history like that of selling prices, the latest row counts. Never changed or deleted while
-- the channel is there. Null prices: the own price was taken away, and the channel's factor holds again.
create table upstream_prices (
  channel_id uuid not null references channels (id) on delete cascade,
  model_id uuid not null references models (id) on delete cascade,
  effective_from timestamptz not null,
  -- Nanodollars, in the form of ModelPrices (gateway/pricing/model-prices.ts).
  prices jsonb check (jsonb_typeof(prices) = 'object'),
  primary key (channel_id, model_id, effective_from)
);

-- What the models of a channel cost that have no price above: their list prices times a factor in parts per million. Null: unknown.
create table upstream_price_factors (
  channel_id uuid not null references channels (id) on delete cascade,
  effective_from timestamptz not null,
  factor_ppm bigint check (factor_ppm between 0 and 1000000000),
  primary key (channel_id, effective_from)
);

create trigger upstream_prices_change after insert or update or delete on upstream_prices
  for each row execute function record_row_change('catalog', 'channel_id');
create trigger upstream_price_factors_change after insert or update or delete on upstream_price_factors
  for each row execute function record_row_change('catalog', 'channel_id');

-- What the request cost at its upstream, at the price in force when it was served. Null: unknown, as in all rows of before.
alter table usage_records add column upstream_cost_nano_usd bigint check (upstream_cost_nano_usd >= 0);

-- Revenue and cost by day. The known columns are of the requests whose upstream cost is known.
create table margin_sums (
  day date not null,
  account_id uuid not null,
  model text not null,
  -- Null where no channel served, and for what was used before this table was.
  channel_id uuid,
  requests bigint not null,
  balance_nano_usd bigint not null,
  subscription_nano_usd bigint not null,
  uncollected_nano_usd bigint not null,
  known_requests bigint not null,
  known_balance_nano_usd bigint not null,
  known_subscription_nano_usd bigint not null,
  upstream_cost_nano_usd bigint not null,
  unique nulls not distinct (day, account_id, model, channel_id)
) with (fillfactor = 70);

-- The same of batches that were not added to margin_sums yet. Without an index: a settle of a ledger in PostgreSQL waits for its row.
create table margin_entries (like margin_sums);

create view margins as
  select * from margin_sums union all select * from margin_entries;

insert into margin_sums
  select day, account_id, model, null, sum(requests), sum(balance_nano_usd), sum(subscription_nano_usd), sum(uncollected_nano_usd),
    0, 0, 0, 0
  from usage_daily group by day, account_id, model;

-- How an upstream is asked for its balance: null chooses by the address, 'none' does not ask.
alter table channels add column balance_api text;

-- The last answer of each upstream that tells its balance.
create table upstream_balances (
  channel_id uuid primary key references channels (id) on delete cascade,
  -- In billionths of the currency; null before the first answer. Kept when a later reading fails.
  balance_nano bigint,
  currency text check (currency in ('USD', 'CNY')),
  read_at timestamptz,
  -- When it was last asked, and why that failed.
  asked_at timestamptz not null,
  error text,
  check ((balance_nano is null) = (currency is null) and (balance_nano is null) = (read_at is null))
);
