import type { Stripe } from 'stripe';
import type { OrderView } from '@weir/shared/money/orders';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { amountFromWire } from '../api/amount.ts';
import type { Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction, lockRow, onlyRow } from '../api/transaction.ts';
import { findPlanFor } from '../plans/plan-row.ts';
import { readSettings } from '../settings/read-settings.ts';
import { refuseUnusablePlan } from '../subscriptions/activate-plan.ts';
import {
  centsOf,
  findOrder,
  isWholeCents,
  orderView,
  type OrderRow,
  type PlanTerms,
} from './order-row.ts';
import { isStripeError } from './stripe-client.ts';

/** Stripe wants at least 30 minutes. */
const CHECKOUT_MINUTES = 60;

const INSERT = `
  insert into orders (id, account_id, user_id, kind, amount_nano_usd, plan_id, plan_terms, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(mins => $8))`;

/**
 * Orders that wait for their payment, per account. Stripe is asked about each, so that more would
 * delay what others have paid.
 */
const PENDING_MAX = 10;

const COUNT_PENDING = `
  select count(*)::integer as count from orders where account_id = $1 and status = 'pending'`;

const BIND = `
  update orders set checkout_session_id = $2, checkout_url = $3, updated_at = now() where id = $1`;

interface Wanted {
  readonly amountNanoUsd: number;
  readonly planId: string | null;
  readonly planTerms: PlanTerms | null;
  /** What the payer reads. */
  readonly title: string;
}

async function readTopUp(
  context: AdminContext,
  amountUsd: string | undefined,
): Promise<Wanted | Refusal> {
  const param = 'amountUsd';
  const amountNanoUsd = amountFromWire(amountUsd, param);
  if (typeof amountNanoUsd === 'object') return amountNanoUsd;
  const settings = await readSettings(context.pool);
  const { topUpMinNanoUsd: min, topUpMaxNanoUsd: max } = settings;
  const isWithin = amountNanoUsd !== undefined && amountNanoUsd >= min && amountNanoUsd <= max;
  if (!isWithin || !isWholeCents(amountNanoUsd)) {
    return refuse(
      'invalid_value',
      `Choose an amount from ${decimalFromNanoUsd(min)} to ${decimalFromNanoUsd(max)} USD, in whole cents.`,
      { param },
    );
  }
  return { amountNanoUsd, planId: null, planTerms: null, title: `${settings.siteName}: balance` };
}

async function readPlanOrder(
  context: AdminContext,
  { planId, accountId }: { readonly planId: string | undefined; readonly accountId: string },
): Promise<Wanted | Refusal> {
  const plan = refuseUnusablePlan(
    planId === undefined ? undefined : await findPlanFor(context.pool, { planId, accountId }),
  );
  if ('refused' in plan) return plan;
  if (plan.priceNanoUsd === 0 || !isWholeCents(plan.priceNanoUsd)) {
    return refuse(
      'plan_unavailable',
      'This plan cannot be paid by card. Buy it from the balance.',
      {
        param: 'planId',
      },
    );
  }
  const { siteName } = await readSettings(context.pool);
  const { periodDays, allowances, groups } = plan;
  return {
    amountNanoUsd: plan.priceNanoUsd,
    planId: plan.id,
    planTerms: { periodDays, allowances, groups },
    title: `${siteName}: ${plan.name}`,
  };
}

async function openCheckout(
  context: AdminContext,
  stripe: Stripe,
  options: { readonly order: OrderRow; readonly title: string; readonly email: string },
): Promise<Stripe.Checkout.Session> {
  const { order, title, email } = options;
  const page = `${context.consoleUrl}/billing?order=${order.id}`;
  return stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: order.id,
      customer_email: email,
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: centsOf(order.amountNanoUsd),
            product_data: { name: title },
          },
        },
      ],
      // Weir issues the invoices: a second one of Stripe would be a second claim for the money.
      invoice_creation: { enabled: false },
      metadata: { weir_order_id: order.id },
      payment_intent_data: { metadata: { weir_order_id: order.id } },
      expires_at: Math.floor(order.createdAt.getTime() / 1000) + CHECKOUT_MINUTES * 60,
      success_url: page,
      cancel_url: page,
    },
    { idempotencyKey: `checkout:${order.id}` },
  );
}

/** The order of this request, made unless a repeat finds it. */
async function insertOrder(call: Call<'createOrder'>, wanted: Wanted): Promise<OrderRow | Refusal> {
  const { context, body, caller, operationId } = call;
  return inTransaction(context.pool, async (client) => {
    // The account's row orders two creations at once, so that neither passes the limit.
    await lockRow(client, 'accounts', caller.accountId);
    const known = await findOrder(client, operationId);
    if (known !== undefined) return known;
    const pending = await client.query<{ count: number }>(COUNT_PENDING, [caller.accountId]);
    if (onlyRow(pending.rows).count >= PENDING_MAX) {
      return refuse(
        'limit_reached',
        `${String(PENDING_MAX)} orders of this account are awaiting payment. Pay one of them, or wait until one expires, ${String(CHECKOUT_MINUTES)} minutes after it was made.`,
      );
    }
    await client.query(INSERT, [
      operationId,
      caller.accountId,
      caller.userId,
      body.kind,
      wanted.amountNanoUsd,
      wanted.planId,
      wanted.planTerms,
      CHECKOUT_MINUTES,
    ]);
    const order = await findOrder(client, operationId);
    if (order === undefined) throw new Error('an order that was made is gone');
    return order;
  });
}

/** Makes an order and the page to pay it on. A repeat finds the order and the same page. */
export async function createOrder(call: Call<'createOrder'>): Promise<OrderView | Refusal> {
  const { context, body, caller } = call;
  const { stripe } = context;
  if (stripe === null) {
    return refuse(
      'card_payments_unavailable',
      'Card payments are not configured here. Redeem a code, or ask the operator for a top-up.',
    );
  }
  const wanted =
    body.kind === 'plan'
      ? await readPlanOrder(context, { planId: body.planId, accountId: call.caller.accountId })
      : await readTopUp(context, body.amountUsd);
  if ('refused' in wanted) return wanted;
  const order = await insertOrder(call, wanted);
  if ('refused' in order) return order;
  // A repeat of one whose answer was lost. Stripe forgets within a day, and would be asked for a
  // page that ends in the past.
  if (order.checkoutSessionId !== null) return orderView(order);
  try {
    const { title } = wanted;
    const session = await openCheckout(context, stripe, { order, title, email: caller.email });
    await context.pool.query(BIND, [order.id, session.id, session.url]);
    return orderView({ ...order, checkoutUrl: session.url });
  } catch (error) {
    if (!isStripeError(error)) throw error;
    context.logger.error(
      { err: error, orderId: order.id },
      'Stripe did not create a checkout session',
    );
    return refuse(
      'payment_service_failed',
      'The payment service cannot be reached right now. Nothing was charged; try again.',
    );
  }
}
