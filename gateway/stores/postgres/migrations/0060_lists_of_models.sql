-- Lists of models name the groups and channels of each: without these, each model reads both tables whole.
create index group_models_model on group_models (model_id, group_id);
create index channel_models_model on channel_models (model_id, channel_id);
