-- Prefixes of all keys that work and have no check letters. $1 is how many rows are wanted at most.
select prefix from keys where not has_check_letters and status <> 'deleted'
union
select unchecked_prefix from key_aliases where unchecked_prefix is not null and works_until > now()
limit $1
