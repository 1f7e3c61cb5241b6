-- Fields of a request that a channel's upstream refuses and is not sent.
alter table channels add column omitted_fields text[] not null default '{}';
