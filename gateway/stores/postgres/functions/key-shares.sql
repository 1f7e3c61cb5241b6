-- The budgets of a scope as [{"period", "limitNanoUsd"}].
create or replace function budgets_of(p_account_id uuid, p_scope text) returns jsonb
language sql stable as $$
  select coalesce((
    select jsonb_agg(jsonb_build_object('period', period, 'limitNanoUsd', nano_usd))
    from spend_budgets b
    cross join lateral (values ('total', b.total_nano_usd), ('day', b.day_nano_usd), ('month', b.month_nano_usd))
      as limits(period, nano_usd)
    where b.account_id = p_account_id and b.scope = p_scope and nano_usd is not null), '[]');
$$;

-- What is budgeted above a key (KeyRow in data-plane/authentication/key-row.ts). Null for a key
-- that shares nothing: the account has one member, no team and no budget. Such requests then cost
-- the ledger what they cost without any of this, and their records name nobody.
create or replace function key_shares(p_account_id uuid, p_member_id bigint, p_team_id bigint) returns jsonb
language plpgsql stable as $$
declare
  team bigint := coalesce(p_team_id, (select team_id from members where id = p_member_id));
  calendar bigint[] := account_calendar(p_account_id, now());
  budgeted boolean := exists (select from spend_budgets where account_id = p_account_id);
begin
  if calendar is null and not budgeted and team is null
      and (select count(*) from (select from members where account_id = p_account_id limit 2) several) < 2 then
    return null;
  end if;
  return jsonb_build_object('calendar', calendar, 'accountBudgets', budgets_of(p_account_id, 'account'),
    'team', case when team is not null then jsonb_build_object('id', team, 'budgets', budgets_of(p_account_id, 'team:' || team)) end,
    'member', case when p_member_id is not null then
      jsonb_build_object('id', p_member_id, 'budgets', budgets_of(p_account_id, 'member:' || p_member_id)) end);
end
$$;
