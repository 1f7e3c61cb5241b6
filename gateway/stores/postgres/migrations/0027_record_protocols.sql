-- What a record says of a request besides its counts. Null in rows of former versions.
alter table usage_records
  -- The protocol that the client spoke, and the one that the upstream was spoken to in.
  add column protocol text,
  add column upstream_protocol text,
  -- The tier of processing whose prices were billed; null for the ordinary ones.
  add column tier text;
