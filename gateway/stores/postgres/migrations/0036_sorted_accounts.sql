-- Accounts are listed by name, both ways, one page at a time; equal ones by id. A list by balance is sorted when it is asked for: an
-- index would have to be written with each charge.
create index accounts_by_name on accounts (lower(name), id);
