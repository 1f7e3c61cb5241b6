-- Meters: what is counted and priced apart from the token kinds that have columns (shared/meters.ts). Objects keyed by the meter's id;
-- null where there is none, which is what all rows of before have.
alter table prices
  -- Nanodollars per 1,000,000 tokens, or per call.
  add column extra_prices jsonb check (jsonb_typeof(extra_prices) = 'object'),
  add column long_context_extra_prices jsonb check (jsonb_typeof(long_context_extra_prices) = 'object'),
  add constraint prices_long_context_extra check (long_context_extra_prices is null or long_context_above_tokens is not null);

alter table usage_records
  -- Tokens, or calls: parts of input_tokens and output_tokens, or beside them.
  add column extra_meters jsonb,
  -- What each of them was billed at.
  add column extra_prices jsonb;
