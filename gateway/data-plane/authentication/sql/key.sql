-- A key by any of its digests ($1 bytea[]), with its account, the subscriptions that may pay for its group, the account's groups
-- and prices, and whether its member and its team still let it be used.
-- A former or temporary value of the key (key_aliases) is the same key and expires by itself.
with given as (
  select id, null::timestamptz as works_until from keys where digest = any ($1)
  union all
  select key_id, works_until from key_aliases where digest = any ($1) and works_until > now()
)
select k.id::text as "keyId", k.prefix, k.status, k.group_id::text as "groupId",
       (extract(epoch from least(k.expires_at, given.works_until)) * 1000)::bigint as "expiresAtMs",
       k.budget_total_nano_usd as "budgetTotal", k.budget_day_nano_usd as "budgetDay",
       k.budget_month_nano_usd as "budgetMonth", k.rpm, k.tpm, k.concurrency_max as "concurrencyMax",
       k.ip_allowlist as "ipAllowlist", k.model_allowlist as "modelAllowlist",
       a.id::text as "accountId", a.status as "accountStatus", a.concurrency_max as "accountConcurrencyMax",
       a.subscription_preference as preference,
       coalesce((
         select jsonb_agg(jsonb_build_object(
                  'id', s.id, 'startedAtMs', (extract(epoch from s.started_at) * 1000)::bigint,
                  'endsAtMs', (extract(epoch from s.ends_at) * 1000)::bigint, 'allowances', s.allowances)
                order by s.ends_at)
         from subscriptions s
         where s.account_id = a.id and s.status <> 'ended' and s.ends_at > now() and k.group_id = any (s.group_ids)
       ), '[]') as subscriptions,
       coalesce((
         select jsonb_agg(jsonb_build_object('groupId', ga.group_id, 'multiplierPpm', ga.multiplier_ppm))
         from group_accounts ga where ga.account_id = a.id
       ), '[]') as memberships,
       -- Those in force, and those to come.
       coalesce((
         select jsonb_agg(jsonb_build_object('modelId', p.model_id, 'fromMs', to_ms(p.effective_from), 'prices', p.prices))
         from account_prices p
         where p.account_id = a.id and p.effective_from >= coalesce((
           select max(q.effective_from) from account_prices q
           where q.account_id = p.account_id and q.model_id = p.model_id and q.effective_from <= now()), '-infinity')
       ), '[]') as "accountPrices",
       coalesce(m.ended_at, u.disabled_at) is not null as "memberGone",
       coalesce(t.all_groups, true)
         or exists (select from team_groups tg where tg.team_id = t.id and tg.group_id = k.group_id) as "teamMayUse",
       k.content_log and coalesce(keeper.ended_at, keeping.disabled_at) is null as "keepsContent",
       exists (select from device_logins d where d.key_id = k.id) as "isLogin",
       key_shares(k.account_id, k.member_id, k.team_id) as shares
from given
join keys k on k.id = given.id
join accounts a on a.id = k.account_id
left join members m on m.id = k.member_id
left join users u on u.id = m.user_id
left join members keeper on keeper.id = k.content_log_member_id
left join users keeping on keeping.id = keeper.user_id
left join teams t on t.id = coalesce(k.team_id, m.team_id)
