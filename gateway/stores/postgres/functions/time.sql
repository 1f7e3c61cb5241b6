-- Milliseconds since 1970 and timestamptz, converted exactly.

create or replace function from_ms(ms bigint) returns timestamptz
language sql immutable as $$
  select timestamptz '1970-01-01 00:00:00+00' + ms * interval '1 millisecond';
$$;

create or replace function to_ms(at timestamptz) returns bigint
language sql immutable as $$
  select floor(extract(epoch from at) * 1000)::bigint;
$$;
