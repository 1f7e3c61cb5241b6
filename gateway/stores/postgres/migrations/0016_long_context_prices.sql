-- Other prices for the whole of a request whose prompt has more tokens than long_context_above_tokens, which several vendors
-- ask for. All five are null where long prompts cost what others do. None is below the ordinary price: what is held for a prompt
-- must cover a shorter one.
alter table prices
  add column long_context_above_tokens integer check (long_context_above_tokens > 0),
  add column long_context_input_nano_usd bigint check (long_context_input_nano_usd >= input_nano_usd),
  add column long_context_cached_input_nano_usd bigint
    check (long_context_cached_input_nano_usd >= cached_input_nano_usd),
  add column long_context_cache_write_nano_usd bigint
    check (long_context_cache_write_nano_usd >= cache_write_nano_usd),
  add column long_context_output_nano_usd bigint check (long_context_output_nano_usd >= output_nano_usd),
  add constraint prices_long_context_whole check (
    num_nulls(long_context_above_tokens, long_context_input_nano_usd, long_context_cached_input_nano_usd,
      long_context_cache_write_nano_usd, long_context_output_nano_usd) in (0, 5));
