alter table groups
  -- The protocols that the group's keys may be used with; null: all.
  add column protocols text[] check (cardinality(protocols) > 0);

alter table prices
  -- What multiplies prices in each tier of processing that has a price, in parts per million: {"priority": 2000000}.
  add column tiers jsonb check (jsonb_typeof(tiers) = 'object');
