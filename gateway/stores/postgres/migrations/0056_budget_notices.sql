-- Mails about budgets of accounts, teams and members, and the budget that an invited person gets.

alter table sent_notices drop constraint sent_notices_kind_check;
alter table sent_notices add constraint sent_notices_kind_check
  check (kind in ('key_budget', 'shared_budget', 'plan_ending'));

-- Null is no limit, as in spend_budgets.
alter table member_invitations
  add column budget_total_nano_usd bigint check (budget_total_nano_usd >= 0),
  add column budget_day_nano_usd bigint check (budget_day_nano_usd >= 0),
  add column budget_month_nano_usd bigint check (budget_month_nano_usd >= 0);
