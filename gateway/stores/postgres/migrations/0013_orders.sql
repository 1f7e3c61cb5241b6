-- A chargeback is booked like a refund: the card holder's bank has taken the money back, and returns it when the dispute is won.
alter table credits drop constraint credits_kind_check, add constraint credits_kind_check check (kind in
  ('top_up', 'redemption', 'refund', 'chargeback', 'adjustment', 'plan_purchase', 'bootstrap', 'recovered_usage'));

alter table order_refunds add column kind text not null default 'refund' check (kind in ('refund', 'chargeback'));

-- When Stripe is next asked what went back of a payment: at once, then daily for as long as it can be disputed and decided. Null when no more.
alter table orders add column reversals_due_at timestamptz default now();
update orders set reversals_due_at = null where paid_at < now() - interval '210 days';
create index orders_reversals_due on orders (reversals_due_at)
  where payment_intent_id is not null and reversals_due_at is not null;

-- The open refund that was asked about longest ago comes first, so that those that stay open keep no other waiting.
alter table order_refunds add column asked_at timestamptz not null default now();
drop index order_refunds_pending;
create index order_refunds_pending on order_refunds (asked_at) where status = 'pending';

-- What a plan gave when it was ordered: days, allowances and groups. Null for a top-up, and for a plan that was ordered before this
-- was kept.
alter table orders add column plan_terms jsonb;
