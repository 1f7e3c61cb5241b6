-- The upstream of a channel stores replies, and clients may refer to them.
alter table channels add column stores_responses boolean not null default false;
