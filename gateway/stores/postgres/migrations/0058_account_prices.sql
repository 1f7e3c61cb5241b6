-- What single accounts pay for single models, in place of the model's price and of every multiplier.

-- History like that of prices. Rows whose time has come are never changed or deleted.
create table account_prices (
  account_id uuid not null references accounts (id) on delete cascade,
  model_id uuid not null references models (id) on delete cascade,
  effective_from timestamptz not null,
  -- Nanodollars, in the form of ModelPrices (gateway/pricing/model-prices.ts). Null: the model's price applies again.
  prices jsonb check (jsonb_typeof(prices) = 'object'),
  created_at timestamptz not null default now(),
  primary key (account_id, model_id, effective_from)
);

-- For the deletion of a model.
create index account_prices_model on account_prices (model_id);

-- Gateways hold an account's prices with its verified keys.
create trigger account_prices_change after insert or update or delete on account_prices
  for each row execute function record_row_change('account', 'account_id');
