-- Members: the owner of a new account, and changes of a person that the keys of a member follow.

-- Trigger of `users`. A person always owns one account, `users.account_id`.
create or replace function make_owner() returns trigger
language plpgsql as $$
begin
  insert into members (account_id, user_id, role) values (new.account_id, new.id, 'owner');
  return null;
end
$$;

-- Trigger of `users`. Gateways have forgotten verified keys of the person's accounts when it commits.
create or replace function record_user_accounts() returns trigger
language plpgsql as $$
begin
  perform record_change('account', account_id::text) from members where user_id = new.id order by account_id;
  return null;
end
$$;
