-- Recomputes the records. $1 the only account to check, null for all
-- Credits of kind recovered_usage are left out, and the records that they charge count like any
-- other, because the sums per day do not show which records were charged that way.
with kept as (
  -- The retention has dropped the months before the first partition. Their days replace them.
  select coalesce(min(to_date(right(c.relname, 7), 'YYYY_MM')), '-infinity') as since
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'usage_records'::regclass and c.relname ~ '^usage_records_[0-9]{4}_[0-9]{2}$'
), credited as (
  select account_id, sum(amount_nano_usd) filter (where kind <> 'recovered_usage') as amount, max(sequence) as last,
    count(*) as entries
  from credits where $1::uuid is null or account_id = $1 group by account_id
), recorded_by_key as (
  select account_id, key_id, count(*) as requests, sum(cost_nano_usd) as cost, sum(balance_nano_usd) as balance,
    sum(subscription_nano_usd) as subscription, sum(uncollected_nano_usd) as uncollected,
    sum(input_tokens + output_tokens) as tokens
  from usage_records
  where ($1::uuid is null or account_id = $1) and created_at >= (select since from kept)::timestamp at time zone 'UTC'
  group by account_id, key_id
  union all
  select account_id, key_id, sum(requests), sum(cost_nano_usd), sum(balance_nano_usd), sum(subscription_nano_usd),
    sum(uncollected_nano_usd), sum(input_tokens + output_tokens)
  from usage_daily
  where ($1::uuid is null or account_id = $1) and day < (select since from kept)
  group by account_id, key_id
), recorded as (
  select account_id, sum(requests) as requests, sum(cost) as cost, sum(balance) as balance, sum(subscription) as subscription,
    sum(uncollected) as uncollected, sum(tokens) as tokens
  from recorded_by_key group by account_id
), journaled as (
  select account_id,
    sum(case when credit = 'customer_balance' then amount_nano_usd else 0 end)
      - sum(case when debit = 'customer_balance' then amount_nano_usd else 0 end) as balance,
    sum(case when debit = 'subscription_allowance' then amount_nano_usd else 0 end) as subscription,
    sum(case when debit = 'uncollected' then amount_nano_usd else 0 end) as uncollected
  from journal_entries where $1::uuid is null or account_id = $1 group by account_id
), daily as (
  select account_id, sum(requests) as requests, sum(cost_nano_usd) as cost, sum(balance_nano_usd) as balance,
    sum(subscription_nano_usd) as subscription, sum(uncollected_nano_usd) as uncollected,
    sum(input_tokens + output_tokens) as tokens
  from usage_daily where $1::uuid is null or account_id = $1 group by account_id
), days as materialized (
  select day, account_id, key_id, model, sum(requests) as requests, sum(input_tokens + output_tokens) as tokens,
    sum(cost_nano_usd) as cost
  from usage_daily where $1::uuid is null or account_id = $1 group by day, account_id, key_id, model
), days_by_model as (
  select day, model, sum(requests) as requests, sum(tokens) as tokens, sum(cost) as cost from days group by day, model
), sums_by_model as (
  select day, model, sum(requests) as requests, sum(input_tokens + output_tokens) as tokens, sum(cost_nano_usd) as cost
  from usage_by_model where $1::uuid is null group by day, model
), days_by_key as (
  select day, account_id, key_id, sum(requests) as requests, sum(tokens) as tokens, sum(cost) as cost
  from days group by day, account_id, key_id
), sums_by_key as (
  select day, account_id, key_id, sum(requests) as requests, sum(input_tokens + output_tokens) as tokens,
    sum(cost_nano_usd) as cost
  from usage_by_key where $1::uuid is null or account_id = $1 group by day, account_id, key_id
), days_by_account as (
  select day, account_id, model, sum(requests) as requests, sum(tokens) as tokens, sum(cost) as cost
  from days group by day, account_id, model
), sums_by_account as (
  select day, account_id, model, sum(requests) as requests, sum(input_tokens + output_tokens) as tokens,
    sum(cost_nano_usd) as cost
  from usage_by_account where $1::uuid is null or account_id = $1 group by day, account_id, model
), sums as (
  select 'model' as book, day || ' ' || model as subject, d.requests, d.tokens, d.cost,
    s.requests as summed_requests, s.tokens as summed_tokens, s.cost as summed_cost
  from (select * from days_by_model where $1::uuid is null) d full join sums_by_model s using (day, model)
  union all
  select 'key', day || ' ' || key_id, d.requests, d.tokens, d.cost, s.requests, s.tokens, s.cost
  from days_by_key d full join sums_by_key s using (day, account_id, key_id)
  union all
  select 'account', day || ' ' || account_id || ' ' || model, d.requests, d.tokens, d.cost, s.requests, s.tokens, s.cost
  from days_by_account d full join sums_by_account s using (day, account_id, model)
), by_key as (
  select account_id, key_id, sum(balance + subscription) as spent from recorded_by_key group by account_id, key_id
), shares as (
  -- What each record counts for, with its local time (account_local).
  select r.account_id, share.scope, r.balance_nano_usd + r.subscription_nano_usd as spent,
    coalesce((r.settled_at at time zone z.zone) at time zone 'UTC', r.settled_at) as settled_local
  from usage_records r
  join accounts a on a.id = r.account_id
  left join account_time_zones z on z.account_id = r.account_id and z.since <= r.settled_at and r.settled_at < z.until
  cross join lateral (values
    (case when a.budgeted then 'account' end), ('team:' || r.team_id), ('member:' || r.member_id)) as share(scope)
  where ($1::uuid is null or r.account_id = $1) and share.scope is not null
    and r.created_at >= (select since from kept)::timestamp at time zone 'UTC'
), shares_in_periods as (
  select account_id, scope, period, period_start(period, settled_local) as period_start, sum(spent) as spent
  from shares cross join unnest(array['day', 'month']) as period
  group by 1, 2, 3, 4 having sum(spent) > 0
), member_days as (
  select account_id, sum(requests) as requests, sum(cost_nano_usd) as cost, sum(balance_nano_usd) as balance
  from usage_member_days where day >= (select since from kept) and ($1::uuid is null or account_id = $1) group by account_id
), member_records as (
  select account_id, count(*) as requests, sum(cost_nano_usd) as cost, sum(balance_nano_usd) as balance
  from usage_records
  where (member_id is not null or team_id is not null) and ($1::uuid is null or account_id = $1)
    and created_at >= (select since from kept)::timestamp at time zone 'UTC'
  group by account_id
), key_periods as (
  select k.key_id, period, sum(spent_nano_usd) as spent
  from key_spend k
  where $1::uuid is null or k.key_id in (select key_id from by_key)
  group by k.key_id, period
)
select 'I2: balance = credits - settled' as "check", a.id::text as subject,
  coalesce(c.amount, 0) - coalesce(r.balance, 0) as expected, a.balance_nano_usd::numeric as found
  from accounts a left join credited c on c.account_id = a.id left join recorded r on r.account_id = a.id
  where $1::uuid is null or a.id = $1
union all
select 'journal: customer_balance = balance', a.id::text, a.balance_nano_usd, coalesce(j.balance, 0)
  from accounts a left join journaled j on j.account_id = a.id where $1::uuid is null or a.id = $1
union all
select 'journal: subscription_allowance = records', a.id::text, coalesce(r.subscription, 0), coalesce(j.subscription, 0)
  from accounts a left join journaled j on j.account_id = a.id left join recorded r on r.account_id = a.id
  where $1::uuid is null or a.id = $1
union all
select 'journal: uncollected = records', a.id::text, coalesce(r.uncollected, 0), coalesce(j.uncollected, 0)
  from accounts a left join journaled j on j.account_id = a.id left join recorded r on r.account_id = a.id
  where $1::uuid is null or a.id = $1
union all
select 'credits: sequences without gaps', a.id::text, a.credit_sequence, coalesce(c.entries, 0)
  from accounts a left join credited c on c.account_id = a.id where $1::uuid is null or a.id = $1
union all
select 'credits: last sequence', a.id::text, a.credit_sequence, coalesce(c.last, 0)
  from accounts a left join credited c on c.account_id = a.id where $1::uuid is null or a.id = $1
union all
select 'records: balance + subscription + uncollected = cost', account_id::text, cost, balance + subscription + uncollected from recorded
union all
select 'days: ' || part.name, coalesce(r.account_id, d.account_id)::text, coalesce(part.recorded, 0), coalesce(part.summed, 0)
  from recorded r full join daily d on d.account_id = r.account_id
  cross join lateral (values
    ('requests', r.requests, d.requests), ('tokens', r.tokens, d.tokens), ('cost', r.cost, d.cost),
    ('balance', r.balance, d.balance), ('subscription', r.subscription, d.subscription),
    ('uncollected', r.uncollected, d.uncollected)) as part(name, recorded, summed)
union all
select 'keys: spent, ' || periods.period, b.key_id::text, b.spent, coalesce(k.spent, 0)
  from by_key b cross join unnest(array['total', 'day', 'month']) as periods(period)
  left join key_periods k on k.key_id = b.key_id and k.period = periods.period
union all
select 'keys: spent without a record', k.key_id::text, 0, k.spent from key_periods k
  where $1::uuid is null and k.key_id not in (select key_id from by_key)
union all
-- Only periods whose records are all kept: a month that the retention has cut into is not compared.
select 'I5: scope spent, ' || period, account_id || ' ' || scope || ' ' || period_start, coalesce(r.spent, 0), coalesce(s.spent_nano_usd, 0)
  from shares_in_periods r
  full join (select * from scope_spend where period <> 'total' and ($1::uuid is null or account_id = $1)) s
    using (account_id, scope, period, period_start)
  where period_start > (select since from kept)::timestamp at time zone 'UTC' + interval '1 day'
    and coalesce(r.spent, 0) <> coalesce(s.spent_nano_usd, 0)
union all
select 'I5: scope spent, total', t.account_id || ' ' || t.scope, t.spent_nano_usd,
    (select coalesce(sum(d.spent_nano_usd), 0) from scope_spend d
      where d.account_id = t.account_id and d.scope = t.scope and d.period = periods.period)
  from scope_spend t cross join unnest(array['day', 'month']) as periods(period)
  where t.period = 'total' and ($1::uuid is null or t.account_id = $1)
union all
select 'member days: ' || part.name, coalesce(r.account_id, d.account_id)::text, coalesce(part.recorded, 0), coalesce(part.summed, 0)
  from member_records r full join member_days d on d.account_id = r.account_id
  cross join lateral (values
    ('requests', r.requests, d.requests), ('cost', r.cost, d.cost), ('balance', r.balance, d.balance)) as part(name, recorded, summed)
union all
select 'subscriptions: used, ' || windows.allowance_window, 'all accounts',
    (select coalesce(sum(subscription), 0) from recorded),
    (select coalesce(sum(used_nano_usd), 0) from subscription_windows w where w.allowance_window = windows.allowance_window)
  from unnest(array['5h', 'day', 'week', 'month']) as windows(allowance_window)
  where $1::uuid is null
union all
select 'usage_rejected is empty', 'all accounts', 0, (select count(*) from usage_rejected) where $1::uuid is null
union all
select 'sums by ' || sums.book || ': ' || part.name, sums.subject, coalesce(part.expected, 0), coalesce(part.found, 0)
  from sums
  cross join lateral (values
    ('requests', sums.requests, sums.summed_requests), ('tokens', sums.tokens, sums.summed_tokens),
    ('cost', sums.cost, sums.summed_cost)) as part(name, expected, found)
  where coalesce(part.expected, 0) <> coalesce(part.found, 0)
