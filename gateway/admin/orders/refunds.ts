import { Stripe } from 'stripe';
import type { OrderView } from '@weir/shared/orders';
import { decimalFromNanoUsd } from '@weir/shared/money';
import { refuse, type Refusal } from '../../errors/refusal.ts';
import { newRequestId } from '../../clock/request-id.ts';
import { amountFromWire, NANO_USD_PER_CENT } from '../api/amount.ts';
import type { Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { addCredit } from '../credits/add-credit.ts';
import { pushCredits } from '../credits/push-credits.ts';
import { centsOf, findOrder, isWholeCents, orderView, type OrderRow } from './order-row.ts';

/** A refund's states: pending (taken from the balance, Stripe asked or to be asked) -> succeeded | failed (given back). */
export interface RefundRow {
  readonly id: string;
  readonly orderId: string;
  readonly amountNanoUsd: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly stripeRefundId: string | null;
}

const SELECT_REFUNDS = `
  select id, order_id as "orderId", amount_nano_usd as "amountNanoUsd", status,
    stripe_refund_id as "stripeRefundId"
  from order_refunds`;

const FIND = `${SELECT_REFUNDS} where id = $1`;
const FIND_BY_STRIPE = `${SELECT_REFUNDS} where stripe_refund_id = $1 or id::text = $2`;

const INSERT = `
  insert into order_refunds (id, order_id, amount_nano_usd, reason, stripe_refund_id, actor)
  values ($1, $2, $3, $4, $5, $6)`;

const NOTE = `
  update order_refunds set stripe_refund_id = coalesce(stripe_refund_id, $2),
    status = case when status = 'pending' and $3 then 'succeeded' else status end
  where id = $1`;

const FAIL = `update order_refunds set status = 'failed' where id = $1 and status <> 'failed'`;

const SET_STATUS = 'update orders set status = $2, updated_at = now() where id = $1';

const FIND_BY_PAYMENT = 'select id from orders where payment_intent_id = $1';

const BOOK_PLAN_REFUND = `
  insert into journal_entries (account_id, debit, credit, amount_nano_usd, reference)
  values ($1, $2, $3, $4, $5)`;

/** The period whose price went back whole is taken back: the subscription is over, or ends so much earlier. */
const TAKE_PERIOD_BACK = `
  update subscriptions s set
    status = case when left_over.ends_at <= now() then 'cancelled' else s.status end,
    renews = s.renews and left_over.ends_at > now(),
    ends_at = greatest(left_over.ends_at, least(s.ends_at, now())), updated_at = now()
  from subscription_periods p
  join subscriptions known on known.id = p.subscription_id
  cross join lateral (select known.ends_at - (p.ends_at - p.starts_at) as ends_at) left_over
  where p.id = $1 and s.id = p.subscription_id and s.status = 'active'`;

async function setOrderStatus(db: Database, orderId: string): Promise<OrderRow> {
  const order = await findOrder(db, orderId);
  if (order === undefined) throw new Error('a refund names an order that is gone');
  const whole = order.refundedNanoUsd >= order.amountNanoUsd;
  const part = order.refundedNanoUsd > 0 ? 'partly_refunded' : 'paid';
  await db.query(SET_STATUS, [orderId, whole ? 'refunded' : part]);
  if (whole && order.kind === 'plan') await db.query(TAKE_PERIOD_BACK, [orderId]);
  return order;
}

interface NewRefund {
  readonly id: string;
  readonly order: OrderRow;
  readonly amountNanoUsd: number;
  readonly reason: string;
  readonly stripeRefundId: string | null;
  readonly actor: string;
}

/** Takes the money back out of the books: from the balance, or from the revenue of a plan. */
async function insertRefund(db: Database, refund: NewRefund): Promise<void> {
  const { id, order, amountNanoUsd } = refund;
  await db.query(INSERT, [
    id,
    order.id,
    amountNanoUsd,
    refund.reason,
    refund.stripeRefundId,
    refund.actor,
  ]);
  if (order.kind === 'plan') {
    const entry = [order.accountId, 'plan_revenue', 'cash', amountNanoUsd, `refund:${id}`];
    await db.query(BOOK_PLAN_REFUND, entry);
  } else {
    await addCredit(db, {
      entryId: `refund:${id}`,
      accountId: order.accountId,
      amountNanoUsd: -amountNanoUsd,
      kind: 'refund',
      reason: refund.reason,
      actor: refund.actor,
    });
  }
  await setOrderStatus(db, order.id);
}

/** Gives the money back to the books, once, when Stripe says that the refund came to nothing. */
async function failRefund(context: AdminContext, refund: RefundRow): Promise<void> {
  const failed = await inTransaction(context.pool, async (client) => {
    const order = await findOrder(client, refund.orderId, { lock: true });
    const marked = await client.query(FAIL, [refund.id]);
    if (order === undefined || marked.rowCount === 0) return undefined;
    const reference = `refund-failed:${refund.id}`;
    if (order.kind === 'plan') {
      const entry = [order.accountId, 'cash', 'plan_revenue', refund.amountNanoUsd, reference];
      await client.query(BOOK_PLAN_REFUND, entry);
    } else {
      await addCredit(client, {
        entryId: reference,
        accountId: order.accountId,
        amountNanoUsd: refund.amountNanoUsd,
        kind: 'refund',
        reason: 'The refund to the card failed',
        actor: 'stripe',
      });
    }
    return setOrderStatus(client, order.id);
  });
  if (failed !== undefined && !('refused' in failed)) await pushCredits(context, failed.accountId);
}

/** Asks Stripe for a refund. The same refund is asked for once, however often this is called. */
async function askStripe(
  context: AdminContext,
  stripe: Stripe,
  options: { readonly refund: RefundRow; readonly paymentIntentId: string },
): Promise<Refusal | undefined> {
  const { refund, paymentIntentId } = options;
  try {
    const answered = await stripe.refunds.create(
      {
        payment_intent: paymentIntentId,
        amount: centsOf(refund.amountNanoUsd),
        metadata: { weir_refund_id: refund.id },
      },
      { idempotencyKey: `refund:${refund.id}` },
    );
    await applyRefund(context, answered);
    return undefined;
  } catch (error) {
    // Only a refusal is an answer. Anything else leaves it open, and the reconciliation asks again.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) {
      context.logger.warn({ err: error, refundId: refund.id }, 'a refund waits for reconciliation');
      return undefined;
    }
    await failRefund(context, refund);
    return refuse('payment_service_failed', `Stripe refuses the refund: ${error.message}`);
  }
}

/** Acts on what Stripe says about a refund: one of ours, or one made in Stripe's own dashboard. */
export async function applyRefund(context: AdminContext, said: Stripe.Refund): Promise<void> {
  const ours = said.metadata?.['weir_refund_id'] ?? '';
  const { rows } = await context.pool.query<RefundRow>(FIND_BY_STRIPE, [said.id, ours]);
  const [known] = rows;
  if (known === undefined) {
    await takeForeignRefund(context, said);
    return;
  }
  if (said.status === 'failed' || said.status === 'canceled') {
    await failRefund(context, known);
    return;
  }
  await context.pool.query(NOTE, [known.id, said.id, said.status === 'succeeded']);
}

/** Money left through Stripe's dashboard: the balance must know. */
async function takeForeignRefund(context: AdminContext, said: Stripe.Refund): Promise<void> {
  const payment =
    typeof said.payment_intent === 'string' ? said.payment_intent : said.payment_intent?.id;
  if (payment === undefined || said.status === 'failed' || said.status === 'canceled') return;
  const { rows } = await context.pool.query<{ id: string }>(FIND_BY_PAYMENT, [payment]);
  const orderId = rows[0]?.id;
  if (orderId === undefined) return;
  const taken = await inTransaction(context.pool, async (client) => {
    const order = await findOrder(client, orderId, { lock: true });
    const again = await client.query(FIND_BY_STRIPE, [said.id, '']);
    // The order's lock makes a second delivery wait here and find the first one's row.
    if (order === undefined || again.rowCount !== 0) return undefined;
    await insertRefund(client, {
      id: newRequestId(Date.now()),
      order,
      amountNanoUsd: said.amount * NANO_USD_PER_CENT,
      reason: 'Refunded in Stripe',
      stripeRefundId: said.id,
      actor: 'stripe',
    });
    return order;
  });
  if (taken !== undefined && !('refused' in taken)) await pushCredits(context, taken.accountId);
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

async function beginRefund(call: Call<'refundOrder'>): Promise<RefundRow | Refusal> {
  const { context, params, body, caller, operationId: id } = call;
  return inTransaction(context.pool, async (client) => {
    const order = await findOrder(client, params.orderId, { lock: true });
    if (order === undefined) return refuse('not_found', 'There is no such order.');
    const [begun] = (await client.query<RefundRow>(FIND, [id])).rows;
    if (begun !== undefined) return begun;
    const amountNanoUsd = readRefundAmount(order, body.amountUsd);
    if (typeof amountNanoUsd !== 'number') return amountNanoUsd;
    await insertRefund(client, {
      id,
      order,
      amountNanoUsd,
      reason: body.reason,
      stripeRefundId: null,
      actor: caller.userId,
    });
    const after = await findOrder(client, order.id);
    await audit(client, call, {
      kind: 'order',
      id: order.id,
      before: orderView(order),
      after: after === undefined ? null : { ...orderView(after), reason: body.reason },
    });
    return { id, orderId: order.id, amountNanoUsd, status: 'pending', stripeRefundId: null };
  });
}

export async function refundOrder(call: Call<'refundOrder'>): Promise<OrderView | Refusal> {
  const { context, params } = call;
  const { stripe } = context;
  if (stripe === null) return refuse('card_payments_unavailable');
  const refund = await beginRefund(call);
  if ('refused' in refund) return refund;
  const order = await findOrder(context.pool, params.orderId);
  if (order?.paymentIntentId == null) throw new Error('a paid order without a payment');
  await pushCredits(context, order.accountId);
  const { paymentIntentId } = order;
  const refused = await askStripe(context, stripe, { refund, paymentIntentId });
  if (refused !== undefined) return refused;
  call.audited = true;
  const after = await findOrder(context.pool, params.orderId);
  return after === undefined ? refuse('not_found') : orderView(after);
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

const OPEN = `${SELECT_REFUNDS}
  where status = 'pending' and created_at < now() - make_interval(secs => $1) order by created_at limit $2`;

export async function readOpenRefunds(
  db: Database,
  options: { readonly olderThanSeconds: number; readonly limit: number },
): Promise<RefundRow[]> {
  return (await db.query<RefundRow>(OPEN, [options.olderThanSeconds, options.limit])).rows;
}
