-- A chargeback is booked like a refund: the card holder's bank has taken the money back, and returns it when the dispute is won.
alter table credits drop constraint credits_kind_check, add constraint credits_kind_check check (kind in
  ('top_up', 'redemption', 'refund', 'chargeback', 'adjustment', 'plan_purchase', 'bootstrap', 'recovered_usage'));

alter table order_refunds add column kind text not null default 'refund' check (kind in ('refund', 'chargeback'));
