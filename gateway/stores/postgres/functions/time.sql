-- Milliseconds since 1970 and timestamptz, converted exactly. Stable, as what they call is:
-- PostgreSQL would not inline them as immutable ones.

create or replace function from_ms(ms bigint) returns timestamptz
language sql stable as $$
  select timestamptz '1970-01-01 00:00:00+00' + ms * interval '1 millisecond';
$$;

create or replace function to_ms(at timestamptz) returns bigint
language sql stable as $$
  select floor(extract(epoch from at) * 1000)::bigint;
$$;
