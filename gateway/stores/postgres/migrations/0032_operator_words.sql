-- What the operator tells visitors and customers, in Markdown. Empty: Weir's own words, or nothing.
alter table settings
  add column welcome text not null default '',
  add column terms text not null default '',
  add column privacy text not null default '',
  add column credit_help text not null default '',
  -- A data: address of an image.
  add column logo text not null default '',
  add column brand_color text not null default '',
  -- The public ID of the model that forms begin with. Empty: the cheapest.
  add column default_model text not null default '';

-- When the user agreed to the terms and the privacy notice.
alter table users add column terms_accepted_at timestamptz;
