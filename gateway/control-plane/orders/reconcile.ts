import type { Stripe } from 'stripe';
import { refuse } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { audit } from '../audit/audit-log.ts';
import { applyCheckout } from './apply-checkout.ts';
import { findOrder, orderView, type OrderRow } from './order-row.ts';
import { noteAsked, readOpenRefunds } from './refund-row.ts';
import { reconcileRefund } from './refunds.ts';
import { applyReversals, readDueReversals } from './reversals.ts';
import { isStripeError } from './stripe-client.ts';

/** Webhooks are quicker; polling is for those that never arrive. */
const OLDER_THAN_SECONDS = 30;
const BATCH = 50;

/** Two requests each, of which those who wait for their payment are not to wait. */
const REVERSALS_BATCH = 20;

const PENDING = `
  select id from orders
  where status = 'pending' and checkout_session_id is not null
    and created_at < now() - make_interval(secs => $1)
  order by updated_at limit $2`;

/** The oldest look first: an order that was asked about goes to the end. */
const LOOKED_AT = `update orders set updated_at = now() where id = $1 and status = 'pending'`;

/** An order whose checkout was never opened cannot be paid. */
const EXPIRE_UNOPENED = `
  update orders set status = 'expired', updated_at = now()
  where status = 'pending' and checkout_session_id is null and expires_at < now()`;

async function reconcile(context: AdminContext, stripe: Stripe, order: OrderRow): Promise<void> {
  if (order.paymentIntentId !== null) await applyReversals(context, stripe, order);
  else if (order.checkoutSessionId !== null) {
    const session = await stripe.checkout.sessions.retrieve(order.checkoutSessionId, {
      expand: ['payment_intent'],
    });
    await applyCheckout(context, session);
  }
}

/** One that fails does not keep the others from being asked about. */
async function reconcileEach(
  context: AdminContext,
  stripe: Stripe,
  orderIds: readonly string[],
): Promise<void> {
  for (const id of orderIds) {
    try {
      const order = await findOrder(context.pool, id);
      if (order !== undefined) await reconcile(context, stripe, order);
    } catch (error) {
      context.logger.warn({ err: error, orderId: id }, 'an order could not be reconciled');
    }
    await context.pool.query(LOOKED_AT, [id]);
  }
}

async function reconcileRefunds(context: AdminContext, stripe: Stripe): Promise<void> {
  const { pool, logger } = context;
  const refunds = await readOpenRefunds(pool, {
    olderThanSeconds: OLDER_THAN_SECONDS,
    limit: BATCH,
  });
  for (const refund of refunds) {
    try {
      await reconcileRefund(context, stripe, refund);
    } catch (error) {
      logger.warn({ err: error, refundId: refund.id }, 'a refund could not be reconciled');
    }
    await noteAsked(pool, refund.id);
  }
}

/** Asks Stripe about everything that is open, and about what went back of what was paid. */
export async function reconcileOrders(context: AdminContext): Promise<void> {
  const { stripe, pool } = context;
  await pool.query(EXPIRE_UNOPENED);
  if (stripe === null) return;
  const { rows } = await pool.query<{ id: string }>(PENDING, [OLDER_THAN_SECONDS, BATCH]);
  await reconcileEach(
    context,
    stripe,
    rows.map(({ id }) => id),
  );
  await reconcileRefunds(context, stripe);
  await reconcileEach(context, stripe, await readDueReversals(pool, REVERSALS_BATCH));
}

export async function reconcileOrder(call: Call<'reconcileOrder'>): Answer<'reconcileOrder'> {
  const { context, params } = call;
  const { stripe, pool } = context;
  if (stripe === null) return refuse('card_payments_unavailable');
  const order = await findOrder(pool, params.orderId);
  if (order === undefined) return refuse('not_found', 'There is no such order.');
  try {
    await reconcile(context, stripe, order);
  } catch (error) {
    if (!isStripeError(error)) throw error;
    return refuse('payment_service_failed', `Stripe does not answer about it: ${error.message}`);
  }
  const after = await findOrder(pool, order.id);
  if (after === undefined) throw new Error('an order is gone');
  const views = { before: orderView(order), after: orderView(after) };
  return {
    view: views.after,
    audit: await audit(pool, call, { kind: 'order', id: order.id, ...views }),
  };
}
