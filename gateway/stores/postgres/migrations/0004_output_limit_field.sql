-- The name under which a channel's upstream takes the output limit; null keeps the client's, or chooses by the model's name.
alter table channels
  add column output_limit_field text check (output_limit_field in ('max_tokens', 'max_completion_tokens'));
