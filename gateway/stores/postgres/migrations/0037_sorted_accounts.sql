-- Accounts are listed by name and by balance, both ways, one page at a time; equal ones by id.
create index accounts_by_name on accounts (lower(name), id);
create index accounts_by_balance on accounts (balance_nano_usd, id);
