-- Budgets of accounts, teams and members, next to those of keys. A scope is 'account', 'team:<id>' or 'member:<id>'.
create table spend_budgets (
  account_id uuid not null references accounts (id),
  scope text not null check (scope = 'account' or scope ~ '^(team|member):[1-9][0-9]*$'),
  total_nano_usd bigint check (total_nano_usd >= 0),
  day_nano_usd bigint check (day_nano_usd >= 0),
  month_nano_usd bigint check (month_nano_usd >= 0),
  updated_at timestamptz not null default now(),
  primary key (account_id, scope)
);

create trigger spend_budgets_change after insert or update or delete on spend_budgets
  for each row execute function record_row_change('account', 'account_id');

-- True while the account itself has a budget: only then is what it spends counted in scope_spend.
alter table accounts add column budgeted boolean not null default false;

-- What a scope has spent, from balance and subscriptions, per period of settled_at in the time zone of the account. Periods start as
-- in key_spend: `total` in 1970, the others at the UTC midnight of the local date.
create table scope_spend (
  account_id uuid not null,
  scope text not null,
  period text not null check (period in ('total', 'day', 'month')),
  period_start timestamptz not null,
  spent_nano_usd bigint not null,
  primary key (account_id, scope, period, period_start)
);

-- What the ledger in PostgreSQL holds for a scope. What was spent is in scope_spend.
create table ledger_scopes (
  account_id uuid not null,
  scope text not null,
  in_flight integer not null default 0 check (in_flight >= 0),
  held_nano_usd bigint not null default 0 check (held_nano_usd >= 0),
  primary key (account_id, scope)
);

-- The scopes whose budgets a hold counts against.
alter table ledger_requests add column held_scopes text[] not null default '{}';

-- The time zones of an account, in the order of time; UTC where there is none. Records are counted in the periods of the zone that
-- was in force when they were settled.
create table account_time_zones (
  account_id uuid not null references accounts (id),
  zone text not null,
  since timestamptz not null,
  until timestamptz not null default 'infinity',
  primary key (account_id, since),
  check (since < until)
);

create trigger account_time_zones_change after insert or update or delete on account_time_zones
  for each row execute function record_row_change('account', 'account_id');

-- Whose request it was: null for service keys, and in accounts of one person.
alter table usage_records add column member_id bigint, add column team_id bigint;
alter type usage_entry add attribute "memberId" bigint, add attribute "teamId" bigint;

-- The rows of usage_daily that belong to a member or a team; 0 where a record has none.
create table usage_member_days (
  account_id uuid not null,
  day date not null,
  member_id bigint not null,
  team_id bigint not null,
  key_id uuid not null,
  model text not null,
  group_id uuid not null,
  requests bigint not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  output_tokens bigint not null,
  cost_nano_usd bigint not null,
  balance_nano_usd bigint not null,
  subscription_nano_usd bigint not null,
  uncollected_nano_usd bigint not null,
  primary key (account_id, day, member_id, team_id, key_id, model, group_id)
);

-- Requests name their member from the second member of an account on, so gateways must learn of the member.
create function record_new_member() returns trigger
language plpgsql as $$
begin
  if exists (select from members where account_id = new.account_id and id <> new.id) then
    perform record_change('account', new.account_id::text);
  end if;
  return null;
end
$$;

create trigger members_insert after insert on members
  for each row execute function record_new_member();

-- Its successor takes the whole payer (functions/ledger-budgets.sql).
drop function ledger_budget_room(jsonb, bigint, bigint, timestamptz);
