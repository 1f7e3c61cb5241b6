/**
 * Thirty-five days of usage for every active key of the database, more on weekdays and by day:
 * records for the tables, daily sums for the charts. Costs follow from tokens, prices and
 * multipliers, so that rows add up.
 */
export const USAGE_HISTORY = `
with priced as (
  select gm.group_id, m.public_id as model, g.multiplier_ppm, p.*,
    row_number() over (partition by gm.group_id order by md5(m.public_id)) as place,
    count(*) over (partition by gm.group_id) as models_count
  from models m
  join group_models gm on gm.model_id = m.id
  join groups g on g.id = gm.group_id
  join lateral (
    select * from prices where model_id = m.id order by effective_from desc limit 1
  ) p on true
  where m.status = 'active'
),
asked as materialized (
  select k.id as key_id, k.account_id, k.group_id, random() as dice,
    date_trunc('day', now()) - make_interval(days => d)
      + make_interval(secs => 86400 * (0.3 + 0.5 * (random() + random()) / 2)) as at,
    (200 + 5800 * random() * random())::bigint as input, random() as cached_share,
    (20 + 1600 * random() * random())::bigint as output, random() as luck,
    (350 + 900 * random() * random())::int as first_byte_ms
  from keys k
  cross join generate_series(1, 35) d
  cross join lateral generate_series(1, (
    case when extract(isodow from now() - make_interval(days => d)) > 5 then 2 else 6 end
      * (0.6 + random()) * (1 + abs(hashtext(k.id::text)) % 3) * (1.6 - d * 0.02))::int) n
  where k.status = 'active'
),
billed as (
  select a.*, p.model, p.multiplier_ppm, p.input_nano_usd as input_price, p.cached_input_nano_usd as cached_price,
    p.cache_write_nano_usd as write_price, p.output_nano_usd as output_price,
    case when luck > 0.975 then 'failed' when luck > 0.96 then 'client_disconnected' else 'completed' end as status,
    case when cached_share > 0.6 then (input * (cached_share - 0.3))::bigint else 0 end as cached
  from asked a
  join priced p on p.group_id = a.group_id
    and p.place = 1 + floor(p.models_count * a.dice * a.dice)::bigint
),
costed as (
  select *, case when status = 'failed' then 0 else ceil(
      ((input - cached) * input_price + cached * cached_price + output * output_price)::numeric
      * multiplier_ppm / 1000000 / 1000000)::bigint end as cost
  from billed
),
recorded as (
  insert into usage_records
  select gen_random_uuid(), at, account_id, key_id, group_id, model,
    (select id from channels order by md5(id::text || model) limit 1),
    status, case when status = 'failed' then 502 else 200 end, luck < 0.7, input,
    cached, 0, case when status = 'failed' then 0 else output end, 0,
    input_price, cached_price, write_price, output_price, 0, multiplier_ppm,
    cost, cost, 0, 0, null, false, false, case when luck > 0.95 then 2 else 1 end,
    first_byte_ms + output * 9, first_byte_ms, at, false, 1
  from costed
  returning created_at, account_id, key_id, model, group_id, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd
),
spent as (
  insert into key_spend
  select key_id, 'month', date_trunc('month', now() at time zone 'UTC') at time zone 'UTC', sum(cost_nano_usd)
  from recorded
  where created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
  group by key_id
)
insert into usage_daily
select (created_at at time zone 'UTC')::date, account_id, key_id, model, group_id, count(*), sum(input_tokens),
  sum(cached_input_tokens), 0, sum(output_tokens), 0, sum(cost_nano_usd), sum(cost_nano_usd), 0, 0
from recorded
group by 1, account_id, key_id, model, group_id`;
