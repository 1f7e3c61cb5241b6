-- Where a user registered from, as a digest of the network; null for users that an administrator
-- made. Whether the credit is withheld.
alter table users
  add column registered_from bytea,
  add column registration_credit_withheld boolean not null default false;

-- Who got the registration credit. Digests: the list outlives its accounts, must be no list of
-- people, and still know a mailbox that comes again.
create table registration_credits (
  mailbox bytea primary key,
  network bytea,
  at timestamptz not null default now()
);
create index registration_credits_network on registration_credits (network, at);

-- The alert on a wave of registrations counts these.
create index users_created_at on users (created_at);

alter table settings
  add column registration_credits_per_network integer not null default 5
    check (registration_credits_per_network between 1 and 10000),
  add column email_domains_allowed text[] not null default '{}',
  add column email_domains_refused text[] not null default '{}',
  add column captcha_provider text not null default 'none'
    check (captcha_provider in ('none', 'turnstile', 'hcaptcha')),
  add column captcha_site_key text not null default '';

-- One row at most: the secret key of the captcha, sealed under SECRET_KEY.
create table captcha_secrets (
  id uuid primary key,
  sealed text not null
);

alter table alert_rules drop constraint alert_rules_kind_check;
alter table alert_rules add constraint alert_rules_kind_check check (kind in
  ('channel_failing', 'error_rate', 'customer_balance', 'upstream_balance', 'drain_lag', 'job_not_run',
   'registration_wave'));
