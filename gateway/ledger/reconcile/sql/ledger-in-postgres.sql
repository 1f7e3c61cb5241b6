-- Compares the ledger in PostgreSQL with the records. $1 the only account to check, null for all
with open_requests as (
  select account_id, count(*) as requests, sum(balance_nano_usd) as held
  from ledger_requests where state = 'open' and ($1::uuid is null or account_id = $1) group by account_id
), open_by_key as (
  select key_id, count(*) as requests, sum(balance_nano_usd + parts_total(parts)) as held
  from ledger_requests where state = 'open' and ($1::uuid is null or account_id = $1) group by key_id
), open_by_scope as (
  select account_id, scope, count(*) as requests, sum(balance_nano_usd + parts_total(parts)) as held
  from ledger_requests cross join lateral unnest(held_scopes) scope
  where state = 'open' and ($1::uuid is null or account_id = $1) group by account_id, scope
), open_by_subscription as (
  select (part ->> 'id')::uuid as subscription_id, sum((part ->> 'amountNanoUsd')::bigint) as held
  from ledger_requests cross join lateral jsonb_array_elements(parts) part
  where state = 'open' group by 1
)
select 'I2: available + held - owed = balance - credits not applied' as "check", l.account_id::text as subject,
  a.balance_nano_usd - coalesce((select sum(amount_nano_usd) from credits c
    where c.account_id = a.id and c.sequence > l.credit_sequence), 0) as expected,
  (l.available_nano_usd + l.held_nano_usd - l.owed_nano_usd)::numeric as found
  from ledger_accounts l join accounts a on a.id = l.account_id where $1::uuid is null or a.id = $1
union all
select 'I4: held by open requests', l.account_id::text, coalesce(o.held, 0), l.held_nano_usd
  from ledger_accounts l left join open_requests o on o.account_id = l.account_id where $1::uuid is null or l.account_id = $1
union all
select 'in flight', l.account_id::text, coalesce(o.requests, 0), l.in_flight
  from ledger_accounts l left join open_requests o on o.account_id = l.account_id where $1::uuid is null or l.account_id = $1
union all
select 'owed only when nothing is available', account_id::text, 0, least(available_nano_usd, owed_nano_usd)
  from ledger_accounts where $1::uuid is null or account_id = $1
union all
select 'keys: held', k.key_id::text, coalesce(o.held, 0), k.held_nano_usd
  from ledger_keys k left join open_by_key o on o.key_id = k.key_id where $1::uuid is null
union all
select 'keys: in flight', k.key_id::text, coalesce(o.requests, 0), k.in_flight
  from ledger_keys k left join open_by_key o on o.key_id = k.key_id where $1::uuid is null
union all
select 'scopes: ' || part.name, s.account_id || ' ' || s.scope, part.expected, part.found
  from ledger_scopes s left join open_by_scope o on o.account_id = s.account_id and o.scope = s.scope
  cross join lateral (values
    ('held', coalesce(o.held, 0), s.held_nano_usd), ('in flight', coalesce(o.requests, 0), s.in_flight)) as part(name, expected, found)
  where $1::uuid is null or s.account_id = $1
union all
select 'subscriptions: held', s.subscription_id::text, coalesce(o.held, 0), s.held_nano_usd
  from ledger_subscriptions s left join open_by_subscription o on o.subscription_id = s.subscription_id where $1::uuid is null
