import type { Stripe } from 'stripe';
import type { AdminContext } from '../api/context.ts';
import type { Database } from '../api/transaction.ts';
import { applyDispute, outcomeOf } from './chargebacks.ts';
import type { OrderRow } from './order-row.ts';
import { applyRefund } from './refunds.ts';
import { STRIPE_PAGE_MAX } from './stripe-client.ts';

/** A card holder may dispute for 120 days, and the bank then takes up to three months to decide. */
const ASKED_FOR_DAYS = 210;
const EVERY_HOURS = 24;
const AFTER_FAILURE_MINUTES = 30;

const DUE = `
  select id from orders
  where payment_intent_id is not null and reversals_due_at < now()
  order by reversals_due_at limit $1`;

const ASKED = `
  update orders set reversals_due_at =
    case when paid_at > now() - make_interval(days => $2) then now() + make_interval(hours => $3) end
  where id = $1`;

const NOT_ANSWERED = `
  update orders set reversals_due_at = now() + make_interval(mins => $2) where id = $1`;

/** The paid orders that Stripe is to be asked about, the one that waits longest first. */
export async function readDueReversals(db: Database, limit: number): Promise<string[]> {
  return (await db.query<{ id: string }>(DUE, [limit])).rows.map(({ id }) => id);
}

/** Every refund and dispute of a payment, as Stripe lists them now. */
async function applyListed(
  context: AdminContext,
  stripe: Stripe,
  paymentIntentId: string,
): Promise<void> {
  const which = { payment_intent: paymentIntentId, limit: STRIPE_PAGE_MAX };
  for (const refund of (await stripe.refunds.list(which)).data) await applyRefund(context, refund);
  for (const dispute of (await stripe.disputes.list(which)).data) {
    await applyDispute(context, dispute, outcomeOf(dispute));
  }
}

/**
 * Asks Stripe what went back of a paid order. Its webhook may have come before the payment was
 * known here, when nobody could tell whose it was, or not at all.
 */
export async function applyReversals(
  context: AdminContext,
  stripe: Stripe,
  order: OrderRow,
): Promise<void> {
  if (order.paymentIntentId === null) return;
  try {
    await applyListed(context, stripe, order.paymentIntentId);
  } catch (error) {
    await context.pool.query(NOT_ANSWERED, [order.id, AFTER_FAILURE_MINUTES]);
    throw error;
  }
  await context.pool.query(ASKED, [order.id, ASKED_FOR_DAYS, EVERY_HOURS]);
}
