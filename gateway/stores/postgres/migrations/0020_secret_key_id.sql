-- Which SECRET_KEY this database's keys and credentials depend on, as its id in sealed values (secrets/secrets.ts). Null until a
-- process has started on it. Without it a start under another key looked well, and refused every API key.
alter table settings add column secret_key_id text;
