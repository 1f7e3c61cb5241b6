-- The protocols that a channel's upstream can be spoken to in, the best first. Null: those of its kind.
alter table channels add column protocols text[];
