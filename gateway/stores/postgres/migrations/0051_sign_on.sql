-- Log-in by identity providers: who they are, whose identities they have confirmed, and what their claims lead to.

create table sign_on_providers (
  id uuid primary key,
  -- Names it in its callback address, so that no two providers share one.
  slug text not null unique check (slug ~ '^[a-z0-9](-?[a-z0-9])*$' and length(slug) <= 40),
  name text not null,
  preset text not null check (preset in ('oidc', 'entra', 'okta', 'google', 'keycloak', 'authentik', 'github')),
  issuer text not null,
  client_id text not null,
  -- The client secret; null for a client that has none.
  sealed text,
  scopes text not null,
  sign_up text not null check (sign_up in ('none', 'mapped', 'anyone')),
  -- It asks for a second factor itself, so Weir does not.
  trusts_second_factor boolean not null default false,
  shown_on_log_in boolean not null default true,
  allow_private boolean not null default false,
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The operator declares that the provider is the authority for addresses of the domain.
create table sign_on_domains (
  domain text primary key check (domain = lower(domain)),
  provider_id uuid not null references sign_on_providers (id) on delete cascade,
  -- People of the domain log in by the provider alone.
  only_sign_on boolean not null default false
);

create index sign_on_domains_provider on sign_on_domains (provider_id);

-- Claims that lead to a membership. The first rule of an account that matches decides; `value` `*` is any.
create table sign_on_rules (
  provider_id uuid not null references sign_on_providers (id) on delete cascade,
  position integer not null,
  claim text not null,
  value text not null,
  account_id uuid not null references accounts (id),
  role text not null check (role in ('administrator', 'billing', 'member', 'viewer')),
  team_id bigint references teams (id) on delete set null,
  primary key (provider_id, position)
);

create index sign_on_rules_account on sign_on_rules (account_id);
create index sign_on_rules_team on sign_on_rules (team_id) where team_id is not null;

-- A person at a provider. The issuer and its subject identify them; the address is shown and never compared.
create table identities (
  id uuid primary key,
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  -- The provider by which it was last used; null after that was deleted.
  provider_id uuid references sign_on_providers (id) on delete set null,
  email text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  unique (issuer, subject)
);

create index identities_user on identities (user_id);
create index identities_provider on identities (provider_id);

-- A log-in that has gone to a provider and not come back yet. The row stays until it expires, so that a second use is known as one.
create table sign_on_flows (
  -- Of the state.
  digest bytea primary key check (octet_length(digest) = 32),
  -- Of the cookie of the browser that began it.
  browser_digest bytea not null check (octet_length(browser_digest) = 32),
  provider_id uuid not null references sign_on_providers (id) on delete cascade,
  -- The person who links the identity to their login; null for a log-in.
  user_id uuid references users (id),
  -- Verifier, nonce and what was asked for.
  sealed text not null,
  used_at timestamptz,
  -- The identity that waits for the second factor.
  waits_for uuid references identities (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sign_on_flows_expiry on sign_on_flows (expires_at);

-- Logout tokens that were used, by issuer and jti, for as long as they could be used again.
create table used_logout_tokens (
  digest bytea primary key check (octet_length(digest) = 32),
  expires_at timestamptz not null
);

-- The provider whose rules made the membership and may end it; null for one that people manage.
alter table members add column managed_by uuid references sign_on_providers (id) on delete set null;
create index members_managed on members (managed_by) where managed_by is not null;

-- The identity by which a session began, and the provider's own name of that session.
alter table sessions
  add column identity_id uuid references identities (id) on delete cascade,
  add column provider_session text;

create index sessions_identity on sessions (identity_id) where identity_id is not null;

-- May log in with a password although the domain is for sign-on only. Set from the shell.
alter table users add column sign_on_exempt boolean not null default false;
