import type pg from 'pg';
import type { Stripe } from 'stripe';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { amountFromWire, NANO_USD_PER_CENT } from '../api/amount.ts';
import type { Answer, Audited, Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { WRITTEN_EARLIER } from '../audit/audit-receipt.ts';
import { pushCredits } from '../credits/push-credits.ts';
import { issueCreditNote } from '../invoices/correct-invoice.ts';
import { centsOf, findOrder, isWholeCents, orderView, type OrderRow } from './order-row.ts';
import { giveRefundBack, takeRefund } from './refund-books.ts';
import {
  findRefund,
  findRefundOfRequest,
  findSaidOrderId,
  findSaidRefund,
  REFUND_ID,
  type RefundRow,
} from './refund-row.ts';
import { isStripeError, STRIPE_PAGE_MAX } from './stripe-client.ts';
import { underOrderLock } from './under-order-lock.ts';

/** One that has failed has given its money back, and stays failed whatever is said of it late. */
const NOTE = `
  update order_refunds set stripe_refund_id = coalesce(stripe_refund_id, $2),
    status = case when status = 'pending' and $3 then 'succeeded' else status end
  where id = $1`;

/**
 * Gives back what Stripe refused. Not when Stripe has meanwhile spoken of the refund: then there is
 * one, and the refusal was of a repeat.
 */
async function failRefused(context: AdminContext, refused: RefundRow): Promise<void> {
  await underOrderLock(context, refused.orderId, async (client, order) => {
    const refund = await findRefund(client, refused.id);
    if (refund?.status !== 'pending' || refund.stripeRefundId !== null) return;
    await giveRefundBack(client, order, { refund, stripeRefundId: null });
  });
}

interface Asked {
  readonly refund: RefundRow;
  readonly paymentIntentId: string;
}

/**
 * What Stripe made of a refund earlier. Its memory of idempotency keys ends after a day; its list
 * of refunds does not.
 */
async function findMade(
  stripe: Stripe,
  { refund, paymentIntentId }: Asked,
): Promise<Stripe.Refund | undefined> {
  const made = await stripe.refunds.list({
    payment_intent: paymentIntentId,
    limit: STRIPE_PAGE_MAX,
  });
  return made.data.find(({ metadata }) => metadata?.[REFUND_ID] === refund.id);
}

/** Asks Stripe for a refund. The same refund is made once, however often this is called. */
async function askStripe(
  context: AdminContext,
  stripe: Stripe,
  asked: Asked,
): Promise<Refusal | undefined> {
  const { refund, paymentIntentId } = asked;
  let why = 'It failed.';
  try {
    const made =
      (await findMade(stripe, asked)) ??
      (await stripe.refunds.create(
        {
          payment_intent: paymentIntentId,
          amount: centsOf(refund.amountNanoUsd),
          metadata: { [REFUND_ID]: refund.id },
        },
        { idempotencyKey: `refund:${refund.id}` },
      ));
    await applyRefund(context, made);
  } catch (error) {
    // Only a refusal is an answer. Anything else leaves it open, and the reconciliation asks again.
    if (!(isStripeError(error) && error.type === 'StripeInvalidRequestError')) {
      context.logger.warn({ err: error, refundId: refund.id }, 'a refund waits for reconciliation');
      return undefined;
    }
    why = error.message;
    await failRefused(context, refund);
  }
  const after = await findRefund(context.pool, refund.id);
  if (after?.status !== 'failed') return undefined;
  return refuse('payment_service_failed', `Stripe refuses the refund: ${why}`);
}

/** Acts on what Stripe says about a refund: one of ours, or one made in Stripe's own dashboard. */
export async function applyRefund(context: AdminContext, said: Stripe.Refund): Promise<void> {
  const orderId = await findSaidOrderId(context.pool, said);
  if (orderId === undefined) return;
  const failed = said.status === 'failed' || said.status === 'canceled';
  await underOrderLock(context, orderId, async (client, order) => {
    const refund = await findSaidRefund(client, said);
    if (failed) {
      if (refund === undefined) return;
      await giveRefundBack(client, order, { refund, stripeRefundId: said.id });
      return;
    }
    const id = refund?.id ?? (await takeForeignRefund(client, order, said));
    await client.query(NOTE, [id, said.id, said.status === 'succeeded']);
    const noted = await findRefund(client, id);
    if (noted?.status === 'succeeded') await issueCreditNote(client, noted);
  });
}

/** Money left that no refund of ours accounts for: the balance must know. */
async function takeForeignRefund(
  client: pg.PoolClient,
  order: OrderRow,
  said: Stripe.Refund,
): Promise<string> {
  const id = newRequestId(Date.now());
  await takeRefund(client, {
    id,
    order,
    kind: 'refund',
    amountNanoUsd: said.amount * NANO_USD_PER_CENT,
    reason: 'Refunded in Stripe',
    status: 'pending',
    stripeRefundId: said.id,
    actor: 'stripe',
    repeats: null,
  });
  return id;
}

/** How much goes back: all that is left unless an amount is named. */
function readRefundAmount(order: OrderRow, amountUsd: string | undefined): number | Refusal {
  const left = order.amountNanoUsd - order.refundedNanoUsd;
  const wanted = amountFromWire(amountUsd, 'amountUsd') ?? left;
  if (typeof wanted !== 'number') return wanted;
  const isPaid = order.status === 'paid' || order.status === 'partly_refunded';
  if (!isPaid || left <= 0)
    return refuse('state_conflict', 'There is nothing to refund on this order.');
  if (wanted > 0 && wanted <= left && isWholeCents(wanted)) return wanted;
  return refuse('invalid_value', `At most ${decimalFromNanoUsd(left)} USD, in whole cents.`, {
    param: 'amountUsd',
  });
}

/**
 * Finds what this request has begun, or begins it. One that has failed is begun again under an id
 * of its own: sent again as it was, the card would get money that the book has given back.
 */
async function beginRefund(call: Call<'refundOrder'>): Promise<Audited<RefundRow> | Refusal> {
  const { context, params, body, caller, operationId } = call;
  return inTransaction(context.pool, async (client) => {
    const order = await findOrder(client, params.orderId, { lock: true });
    if (order === undefined) return refuse('not_found', 'There is no such order.');
    const begun = await findRefundOfRequest(client, operationId);
    if (begun !== undefined) return { view: begun, audit: WRITTEN_EARLIER };
    const amountNanoUsd = readRefundAmount(order, body.amountUsd);
    if (typeof amountNanoUsd !== 'number') return amountNanoUsd;
    const failed = await findRefund(client, operationId);
    const id = failed === undefined ? operationId : newRequestId(Date.now());
    await takeRefund(client, {
      id,
      order,
      kind: 'refund',
      amountNanoUsd,
      reason: body.reason,
      status: 'pending',
      stripeRefundId: null,
      actor: caller.userId,
      repeats: failed?.id ?? null,
    });
    const after = await findOrder(client, order.id);
    const receipt = await audit(client, call, {
      kind: 'order',
      id: order.id,
      before: orderView(order),
      after: after === undefined ? null : { ...orderView(after), reason: body.reason },
    });
    const refund: RefundRow = {
      id,
      orderId: order.id,
      kind: 'refund',
      amountNanoUsd,
      status: 'pending',
      stripeRefundId: null,
    };
    return { view: refund, audit: receipt };
  });
}

/** A repeat finds it carried out or under way at Stripe, and has nothing to ask. */
function isToBeAsked({ status, stripeRefundId }: RefundRow): boolean {
  return status === 'pending' && stripeRefundId === null;
}

export async function refundOrder(call: Call<'refundOrder'>): Answer<'refundOrder'> {
  const { context, params } = call;
  const { stripe } = context;
  if (stripe === null) return refuse('card_payments_unavailable');
  const begun = await beginRefund(call);
  if ('refused' in begun) return begun;
  const { view: refund, audit: receipt } = begun;
  const order = await findOrder(context.pool, params.orderId);
  if (order?.paymentIntentId == null) throw new Error('a paid order without a payment');
  await pushCredits(context, order.accountId);
  if (isToBeAsked(refund)) {
    const { paymentIntentId } = order;
    const refused = await askStripe(context, stripe, { refund, paymentIntentId });
    if (refused !== undefined) return refused;
  }
  const after = await findOrder(context.pool, params.orderId);
  if (after === undefined) return refuse('not_found');
  return { view: orderView(after), audit: receipt };
}

/** Asks Stripe again about a refund that is open. */
export async function reconcileRefund(
  context: AdminContext,
  stripe: Stripe,
  refund: RefundRow,
): Promise<void> {
  if (refund.stripeRefundId !== null) {
    await applyRefund(context, await stripe.refunds.retrieve(refund.stripeRefundId));
    return;
  }
  const order = await findOrder(context.pool, refund.orderId);
  if (order?.paymentIntentId == null) return;
  await askStripe(context, stripe, { refund, paymentIntentId: order.paymentIntentId });
}
