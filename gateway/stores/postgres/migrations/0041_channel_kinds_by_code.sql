-- The kinds of channels are those that the programs know: a new one needs no migration.

alter table channels drop constraint channels_kind_check;
