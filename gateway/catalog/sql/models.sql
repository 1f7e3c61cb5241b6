-- The price in force is the latest whose time has come. Models without one are left out: they cannot be served.
select m.id::text, m.public_id as "publicId", m.vendor, m.context_tokens_max as "contextTokensMax",
       m.output_tokens_max as "outputTokensMax", 'reasoning' = any (m.capabilities) as reasoning,
       extract(epoch from m.created_at)::bigint as "createdAtSeconds",
       -- Without 'extra' where the model has no prices of meters.
       jsonb_strip_nulls(jsonb_build_object(
         'inputNanoUsd', p.input_nano_usd, 'cachedInputNanoUsd', p.cached_input_nano_usd,
         'cacheWriteNanoUsd', p.cache_write_nano_usd, 'outputNanoUsd', p.output_nano_usd,
         'perCallNanoUsd', p.per_call_nano_usd, 'extra', p.extra_prices)) as prices,
       case when p.long_context_above_tokens is not null then jsonb_build_object(
         'aboveTokens', p.long_context_above_tokens,
         'prices', jsonb_strip_nulls(jsonb_build_object(
           'inputNanoUsd', p.long_context_input_nano_usd,
           'cachedInputNanoUsd', p.long_context_cached_input_nano_usd,
           'cacheWriteNanoUsd', p.long_context_cache_write_nano_usd,
           'outputNanoUsd', p.long_context_output_nano_usd,
           'perCallNanoUsd', p.per_call_nano_usd,
           'extra', p.long_context_extra_prices))) end as "longContext",
       p.tiers
from models m
join lateral (
  select * from prices where model_id = m.id and effective_from <= now() order by effective_from desc limit 1
) p on true
where m.status = 'active'
order by m.sort_order, m.public_id
