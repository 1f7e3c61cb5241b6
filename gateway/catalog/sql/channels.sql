-- A demo channel gives way: of the models that it lists, those that an active channel of another
-- kind lists are that one's alone. Made-up replies would be billed to customers otherwise, next to
-- the real ones or whenever those fail.
select c.id::text, {settings},
       jsonb_build_object('connectMs', c.connect_timeout_ms, 'firstByteMs', c.first_byte_timeout_ms,
                          'idleMs', c.idle_timeout_ms, 'totalMs', c.total_timeout_ms) as timeouts,
       coalesce((select array_agg(sealed order by created_at) from channel_credentials
                 where channel_id = c.id and status = 'active'), '{}') as sealed,
       coalesce((select array_agg(group_id::text) from channel_groups where channel_id = c.id), '{}') as "groupIds",
       (select f.factor_ppm from upstream_price_factors f where f.channel_id = c.id and f.effective_from <= now()
        order by f.effective_from desc limit 1) as "upstreamFactorPpm",
       coalesce((select jsonb_agg(jsonb_build_object('upstreamModel', upstream_model, 'protocol', protocol, 'field', field,
                   'accountId', account_id, 'untilMs', to_ms(expires_at)))
                 from learned_refusals where channel_id = c.id and (expires_at is null or expires_at > now())), '[]') as learned,
       -- Without 'profile' and 'upstreamPrices' where the operator has entered none.
       coalesce((select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('modelId', model_id, 'upstreamName', upstream_name,
                   'profile', profile,
                   'upstreamPrices', (select u.prices from upstream_prices u
                                      where u.channel_id = c.id and u.model_id = served.model_id and u.effective_from <= now()
                                      order by u.effective_from desc limit 1))))
                 from channel_models served
                 where channel_id = c.id and (c.kind <> 'demo' or not exists (
                   select from channel_models other join channels o on o.id = other.channel_id
                   where other.model_id = served.model_id and o.kind <> 'demo' and o.status = 'active'))), '[]') as models
from channels c
where c.status = 'active'
order by c.name
