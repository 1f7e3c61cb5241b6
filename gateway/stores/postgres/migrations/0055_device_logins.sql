-- Logins of command-line tools: a tool asks, a person allows it in the console (RFC 8628), and the tool then holds values of one
-- key, each for hours, that it renews with a token. A login is a key; this says how it came to be and how it is renewed.

create table device_logins (
  id uuid primary key,
  -- The name that the tool gave itself, such as claude_code, and the device's, if it sent one.
  tool text not null check (length(tool) between 1 and 64),
  device text not null check (length(device) <= 64),
  -- From where it asked, and the network that askings are counted for.
  address text not null,
  network text not null,
  device_digest bytea not null unique check (octet_length(device_digest) = 32),
  user_code_digest bytea not null unique check (octet_length(user_code_digest) = 32),
  -- pending, then allowed or denied by a person, then used once the tool has its first token.
  status text not null default 'pending' check (status in ('pending', 'allowed', 'denied', 'used')),
  -- The end of the code, for person and tool.
  expires_at timestamptz not null,
  poll_seconds integer not null,
  polled_at timestamptz,
  key_id uuid references keys (id),
  created_at timestamptz not null default now(),
  check ((key_id is not null) = (status in ('allowed', 'used')))
);

create unique index device_logins_key on device_logins (key_id) where key_id is not null;
create index device_logins_pending on device_logins (network) where status = 'pending';

-- Tokens that renew a login. One that was used stays for a while: a second use shows that it was copied.
create table device_login_tokens (
  digest bytea primary key check (octet_length(digest) = 32),
  login_id uuid not null references device_logins (id) on delete cascade,
  issued_at timestamptz not null default now(),
  used_at timestamptz
);

create index device_login_tokens_login on device_login_tokens (login_id);

-- The settings that Claude Code of an account's members takes, as canonical JSON: keys sorted, no white space.
create table managed_settings (
  account_id uuid primary key references accounts (id),
  id uuid not null,
  settings text not null,
  -- sha256:<hex> of the settings.
  checksum text not null,
  updated_at timestamptz not null default now()
);

alter table key_aliases drop constraint key_aliases_purpose_check;
alter table key_aliases add constraint key_aliases_purpose_check check (purpose in ('rotation', 'playground', 'login'));
