-- Members: people and the accounts that they act in. Teams: parts of an account that have groups of their own.

create table teams (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What names a team by this pair cannot name that of another account.
  unique (account_id, id)
);

create unique index teams_name on teams (account_id, lower(name));

-- The groups that keys of the team may be for. A team without rows may use all groups of its account.
create table team_groups (
  account_id uuid not null,
  team_id bigint not null,
  group_id uuid not null references groups (id) on delete cascade,
  primary key (team_id, group_id),
  foreign key (account_id, team_id) references teams (account_id, id) on delete cascade
);

create index team_groups_group on team_groups (group_id);

-- The row of a person who left stays, because keys and records name it. Who returns gets the same one.
create table members (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'administrator', 'billing', 'member', 'viewer')),
  team_id bigint,
  -- When an owner offered ownership to the member, who has not accepted it yet.
  ownership_offered_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, user_id),
  unique (account_id, id),
  foreign key (account_id, team_id) references teams (account_id, id)
);

create index members_user on members (user_id);
create index members_team on members (team_id) where team_id is not null;

-- Nothing changes for those who are there: everyone owns the account that was made with them.
insert into members (account_id, user_id, role, created_at)
  select account_id, id, 'owner', created_at from users order by created_at, id;

-- A person always owns one account, `users.account_id`. Gateways of the former version, which serve during an upgrade, know of no
-- members and insert users too.
create function make_owner() returns trigger
language plpgsql as $$
begin
  insert into members (account_id, user_id, role) values (new.account_id, new.id, 'owner');
  return null;
end
$$;

create trigger users_own_their_account after insert on users
  for each row execute function make_owner();

-- Keys of a member stop with the membership, and their team is that of the member. Keys without a member are the account's (service
-- keys), perhaps for a team.
alter table keys
  add column member_id bigint,
  add column team_id bigint,
  add column created_by uuid references users (id),
  add foreign key (account_id, member_id) references members (account_id, id),
  add foreign key (account_id, team_id) references teams (account_id, id),
  add check (member_id is null or team_id is null);

create index keys_member on keys (member_id) where member_id is not null;
create index keys_team on keys (team_id) where team_id is not null;

-- Gateways hold with a verified key whether its member is there and what its team may use.
create trigger members_change after update of ended_at, team_id on members
  for each row when (old.ended_at is distinct from new.ended_at or old.team_id is distinct from new.team_id)
  execute function record_row_change('account', 'account_id');
create trigger team_groups_change after insert or delete on team_groups
  for each row execute function record_row_change('account', 'account_id');

-- As before, and a service key may change its team.
drop trigger keys_change on keys;
create trigger keys_change after update of status, expires_at, budget_total_nano_usd, budget_day_nano_usd,
    budget_month_nano_usd, rpm, tpm, concurrency_max, ip_allowlist, model_allowlist, digest, group_id, member_id, team_id on keys
  for each row execute function record_row_change('key', 'id');

-- A member's key stops also while the person may not log in.
create function record_user_accounts() returns trigger
language plpgsql as $$
begin
  perform record_change('account', account_id::text) from members where user_id = new.id order by account_id;
  return null;
end
$$;

create trigger users_change after update of disabled_at on users
  for each row when ((old.disabled_at is null) <> (new.disabled_at is null))
  execute function record_user_accounts();
