-- How much of a plan's running time a whole refund took, so that a refund that comes to nothing gives back exactly that, and one
-- that is tried again takes nothing a second time. Null while nothing is taken.
alter table subscription_periods
  add column taken_back interval,
  -- The subscription was to renew, and ended with what was taken.
  add column stopped_renewal boolean not null default false;

-- Of whole refunds from before it is not known. A subscription that went on had more left than the period's length, and lost that; of one
-- that ended with it, at most the length and at most what was left of the period.
update subscription_periods p
  set taken_back = make_interval(secs => extract(epoch from case
    when s.status = 'active' then p.ends_at - p.starts_at
    else greatest(interval '0', least(p.ends_at - p.starts_at, p.ends_at - refunded.at)) end))
  from orders o
  cross join lateral (
    select max(r.created_at) as at from order_refunds r where r.order_id = o.id and r.status <> 'failed'
  ) refunded,
  subscriptions s
  where o.id = p.id and s.id = p.subscription_id and o.kind = 'plan' and o.status = 'refunded' and refunded.at is not null;

-- A request whose refund failed may begin another. It points at the request's first one, whose id is the request's own.
alter table order_refunds add column repeats uuid references order_refunds (id);

-- A request has one refund that has not failed: two would send its money twice.
create unique index order_refunds_request on order_refunds (coalesce(repeats, id)) where status <> 'failed';
