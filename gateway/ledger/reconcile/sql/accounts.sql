-- A page of accounts with what the ledger must agree with.
-- $1 the last account of the page before (uuid), $2 how many
select a.id, a.balance_nano_usd as "balanceNanoUsd", a.credit_sequence as "creditSequence",
  coalesce((select jsonb_object_agg(k.id, k.spent) from (
    select s.key_id as id, s.spent_nano_usd as spent from key_spend s
    where s.period = 'total' and s.key_id in (select d.key_id from usage_daily d where d.account_id = a.id)
  ) k), '{}') as "spentByKey",
  coalesce((select jsonb_object_agg(s.scope || ' ' || s.period || ' ' || to_ms(s.period_start), s.spent_nano_usd)
    from scope_spend s where s.account_id = a.id
      and (s.period = 'total' or s.period_start > now() - interval '70 days')), '{}') as "spentByScope"
from accounts a where a.id > $1 order by a.id limit $2
