-- Directories: identity providers that enter, change and remove people by SCIM 2.0 (RFC 7643, RFC 7644).

-- While a provider has one, it alone decides which of its people are members by the provider's rules.
create table directories (
  provider_id uuid primary key references sign_on_providers (id) on delete cascade,
  last_call_at timestamptz,
  -- The last call that was refused, so that the operator sees why someone is missing.
  last_refusal text,
  last_refused_at timestamptz,
  created_at timestamptz not null default now()
);

create table directory_tokens (
  id uuid primary key,
  provider_id uuid not null references directories (provider_id) on delete cascade,
  digest bytea not null unique check (octet_length(digest) = 32),
  prefix text not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);

create index directory_tokens_provider on directory_tokens (provider_id);

create table directory_users (
  id uuid primary key,
  provider_id uuid not null references directories (provider_id) on delete cascade,
  user_id uuid not null references users (id),
  user_name text not null,
  external_id text,
  active boolean not null,
  -- The other attributes as they are read back; their names are those of SCIM.
  attributes jsonb not null,
  -- The memberships do not follow from the present groups and rules yet.
  stale boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, user_id)
);

create unique index directory_users_name on directory_users (provider_id, lower(user_name));
create unique index directory_users_external on directory_users (provider_id, external_id)
  where external_id is not null;
create index directory_users_user on directory_users (user_id);
create index directory_users_stale on directory_users (id) where stale;

create table directory_groups (
  id uuid primary key,
  provider_id uuid not null references directories (provider_id) on delete cascade,
  display_name text not null,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index directory_groups_name on directory_groups (provider_id, lower(display_name));
create unique index directory_groups_external on directory_groups (provider_id, external_id)
  where external_id is not null;

create table directory_group_members (
  group_id uuid not null references directory_groups (id) on delete cascade,
  directory_user_id uuid not null references directory_users (id) on delete cascade,
  primary key (group_id, directory_user_id)
);

create index directory_group_members_user on directory_group_members (directory_user_id);

-- The id of the person in the provider's directory where it is not the subject: `oid` of Entra, whose subjects are an application's.
alter table identities add column object_id text;
create index identities_object on identities (issuer, object_id) where object_id is not null;

-- The directory that made the login, and so may enter the same person again after it has removed them.
alter table users add column directory_id uuid references sign_on_providers (id) on delete set null;
create index users_directory on users (directory_id) where directory_id is not null;
