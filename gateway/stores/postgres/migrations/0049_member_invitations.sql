-- Invitations into an account, and the account that a session, an access token and an audit entry are about.

create table member_invitations (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- The address that it was mailed to, which alone may accept it; null for a link that is handed on.
  email text check (email = lower(email)),
  -- True when the token is known from a mail alone: following it proves the address.
  mailed boolean not null,
  role text not null check (role in ('owner', 'administrator', 'billing', 'member', 'viewer')),
  team_id bigint,
  digest bytea not null unique check (octet_length(digest) = 32),
  invited_by uuid not null references users (id),
  -- Attempts to register with it, of known addresses too.
  registrations_count integer not null default 0,
  expires_at timestamptz not null,
  withdrawn_at timestamptz,
  accepted_at timestamptz,
  accepted_by uuid references users (id),
  created_at timestamptz not null default now(),
  foreign key (account_id, team_id) references teams (account_id, id),
  check ((accepted_at is null) = (accepted_by is null)),
  check (not mailed or email is not null)
);

create index member_invitations_account on member_invitations (account_id, id desc);

-- A team that is limited stays so when the last of its groups is deleted.
alter table teams add column all_groups boolean not null default true;

create trigger teams_change after update of all_groups on teams
  for each row execute function record_row_change('account', 'account_id');

-- Null is the person's own account, so that gateways of the former version can go on making both.
alter table sessions add column account_id uuid references accounts (id);
alter table access_tokens
  add column account_id uuid references accounts (id),
  -- The most that the token may do in the account; null is what its user may do.
  add column role text check (role in ('owner', 'administrator', 'billing', 'member', 'viewer'));

-- The account in which a member acted. Null for acts of operators and of Weir itself.
alter table audit_entries add column account_id uuid;

create index audit_entries_account on audit_entries (account_id, id desc) where account_id is not null;
