-- What accountants need: invoices with numbers that have no gaps, the tax data on them, and a month's files by mail.

create table accounting_settings (
  only_row boolean primary key default true check (only_row),
  -- Months of accounting and years of invoice numbers are in this zone (IANA).
  time_zone text not null default 'UTC',
  invoices_enabled boolean not null default false,
  issuer_name text not null default '',
  issuer_address text not null default '',
  issuer_tax_id text not null default '',
  -- What the tax is called on invoices; its rate in parts per million. Amounts include it.
  tax_label text not null default '',
  tax_rate_ppm integer not null default 0 check (tax_rate_ppm between 0 and 1000000),
  invoice_prefix text not null default 'INV' check (invoice_prefix ~ '^[A-Z0-9]{1,12}$'),
  credit_note_prefix text not null default 'CN' check (credit_note_prefix ~ '^[A-Z0-9]{1,12}$'),
  footer text not null default '',
  mail_addresses text[] not null default '{}',
  -- Months that end after this are mailed; null: none.
  mails_since timestamptz,
  updated_at timestamptz not null default now()
);
insert into accounting_settings default values;

-- What invoices call a customer. Without a row they have the account's name alone.
create table billing_details (
  account_id uuid primary key references accounts (id),
  name text not null,
  address text not null,
  tax_id text not null,
  updated_at timestamptz not null default now()
);

-- The last number of each series. Its row stays locked until the transaction that took a number ends, so that a rollback gives it back.
create table invoice_series (
  prefix text not null,
  year integer not null,
  last bigint not null,
  primary key (prefix, year)
);

-- Invoices and credit notes as they were issued. Nothing of them ever changes.
create table invoices (
  id uuid primary key,
  kind text not null check (kind in ('invoice', 'credit_note')),
  prefix text not null,
  year integer not null,
  sequence bigint not null,
  account_id uuid not null references accounts (id),
  order_id uuid not null references orders (id),
  -- Of a credit note; and of an invoice for money that was refunded and came back.
  refund_id uuid references order_refunds (id),
  net_cents bigint not null,
  tax_cents bigint not null,
  gross_cents bigint not null check (gross_cents > 0 and gross_cents = net_cents + tax_cents),
  -- Everything that is printed: InvoiceDocument (gateway/control-plane/invoices/invoice-document.ts).
  document jsonb not null,
  issued_at timestamptz not null,
  unique (prefix, year, sequence),
  unique nulls not distinct (kind, order_id, refund_id)
);
create index invoices_account on invoices (account_id, id desc);
create index invoices_order on invoices (order_id);
create trigger invoices_append_only before update or delete on invoices
  for each row execute function refuse_change();

create index orders_paid_at on orders (paid_at) where paid_at is not null;

-- A month's files for one address. `sending` is written before the mail leaves: a process that dies meanwhile must not send it twice, so
-- nobody repeats it but a person.
create table accounting_mails (
  id uuid primary key,
  month date not null,
  address text not null,
  status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'failed', 'unknown')),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  claimed_at timestamptz,
  sent_at timestamptz,
  error text,
  created_at timestamptz not null default now(),
  unique (month, address)
);
create index accounting_mails_due on accounting_mails (due_at) where status in ('waiting', 'sending');

-- Plans paid by card and their refunds: the entries that move cash and no balance.
create index journal_entries_plan_cash on journal_entries (at) where credit in ('plan_revenue', 'cash');
