-- Which fields of a request a channel's upstream gets: known ones, or all of them where it is the operator's own.
alter table channels add column field_policy text not null default 'known'
  constraint channels_field_policy_check check (field_policy in ('known', 'all'));
-- The proxy before its upstream. Null: the process's own; 'none': no proxy at all.
alter table channels add column proxy text;
