-- Adds the margins of batches (enter_usage) to those of their days. Returns how many rows were taken. Charts read both tables, so they
-- are exact before as after.
create or replace function sum_margins() returns integer
language plpgsql as $$
declare
  taken integer;
begin
  with moved as (
    delete from margin_entries returning *
  ), summed as (
    insert into margin_sums as m (day, account_id, model, channel_id, requests, balance_nano_usd, subscription_nano_usd,
      uncollected_nano_usd, known_requests, known_balance_nano_usd, known_subscription_nano_usd, upstream_cost_nano_usd)
    select day, account_id, model, channel_id, sum(requests), sum(balance_nano_usd), sum(subscription_nano_usd),
      sum(uncollected_nano_usd), sum(known_requests), sum(known_balance_nano_usd), sum(known_subscription_nano_usd),
      sum(upstream_cost_nano_usd)
    from moved group by 1, 2, 3, 4
    on conflict (day, account_id, model, channel_id) do update set
      requests = m.requests + excluded.requests,
      balance_nano_usd = m.balance_nano_usd + excluded.balance_nano_usd,
      subscription_nano_usd = m.subscription_nano_usd + excluded.subscription_nano_usd,
      uncollected_nano_usd = m.uncollected_nano_usd + excluded.uncollected_nano_usd,
      known_requests = m.known_requests + excluded.known_requests,
      known_balance_nano_usd = m.known_balance_nano_usd + excluded.known_balance_nano_usd,
      known_subscription_nano_usd = m.known_subscription_nano_usd + excluded.known_subscription_nano_usd,
      upstream_cost_nano_usd = m.upstream_cost_nano_usd + excluded.upstream_cost_nano_usd
  )
  select count(*) into taken from moved;
  return taken;
end
$$;
