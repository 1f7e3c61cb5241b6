import type { Stripe } from 'stripe';
import type { Database } from '../api/transaction.ts';

/**
 * A refund's states: pending (taken from the balance, Stripe asked or to be asked) -> succeeded |
 * failed (given back). One that has failed stays so: asked for again it is another one, which
 * Stripe tells from the first.
 *
 * A chargeback is what the card holder's bank took: succeeded from the first, failed once its
 * dispute is won.
 */
export interface RefundRow {
  readonly id: string;
  readonly orderId: string;
  readonly kind: 'refund' | 'chargeback';
  readonly amountNanoUsd: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** Of a chargeback, the id of its dispute. */
  readonly stripeRefundId: string | null;
}

/** Under this name Stripe keeps a refund's id with what it makes of it. */
export const REFUND_ID = 'weir_refund_id';

const SELECT = `
  select id, order_id as "orderId", kind, amount_nano_usd as "amountNanoUsd", status,
    stripe_refund_id as "stripeRefundId"
  from order_refunds`;

const FIND = `${SELECT} where id = $1`;
const FIND_OF_REQUEST = `${SELECT} where coalesce(repeats, id) = $1 and status <> 'failed'`;

/**
 * By our id only while it is open which of Stripe's refunds it is, so that no two of Stripe's are
 * taken for one.
 */
const FIND_BY_STRIPE = `${SELECT}
  where stripe_refund_id = $1
    or (id::text = $2 and stripe_refund_id is null and status <> 'failed')
  order by stripe_refund_id nulls last limit 1`;

const FIND_ORDER_ID = `
  select coalesce(
    (select order_id from order_refunds where stripe_refund_id = $1 or id::text = $2 limit 1),
    (select id from orders where payment_intent_id = $3)) as "orderId"`;

const OPEN = `${SELECT}
  where status = 'pending' and created_at < now() - make_interval(secs => $1) order by asked_at limit $2`;

const NOTE_ASKED = 'update order_refunds set asked_at = now() where id = $1';

export async function findRefund(db: Database, id: string): Promise<RefundRow | undefined> {
  return (await db.query<RefundRow>(FIND, [id])).rows[0];
}

/** What a request has begun and what has not failed; `requestId` is its operation's id. */
export async function findRefundOfRequest(
  db: Database,
  requestId: string,
): Promise<RefundRow | undefined> {
  return (await db.query<RefundRow>(FIND_OF_REQUEST, [requestId])).rows[0];
}

/** Money that went back as Stripe tells of it: a refund or a dispute. */
type Said = Pick<Stripe.Refund, 'id' | 'payment_intent' | 'metadata'>;

function ourIdOf(said: Said): string {
  return said.metadata?.[REFUND_ID] ?? '';
}

/**
 * The refund that Stripe speaks of. None when it was made in Stripe's dashboard, and none when ours
 * was refused: its money was given back, so one that Stripe carried out nevertheless is another.
 */
export async function findSaidRefund(db: Database, said: Said): Promise<RefundRow | undefined> {
  return (await db.query<RefundRow>(FIND_BY_STRIPE, [said.id, ourIdOf(said)])).rows[0];
}

/** The order whose payment Stripe speaks of; undefined when the payment is none of ours. */
export async function findSaidOrderId(db: Database, said: Said): Promise<string | undefined> {
  const { payment_intent: payment } = said;
  const paymentId = typeof payment === 'string' ? payment : (payment?.id ?? null);
  const { rows } = await db.query<{ orderId: string | null }>(FIND_ORDER_ID, [
    said.id,
    ourIdOf(said),
    paymentId,
  ]);
  return rows[0]?.orderId ?? undefined;
}

/** What waits longest for an answer, first. */
export async function readOpenRefunds(
  db: Database,
  options: { readonly olderThanSeconds: number; readonly limit: number },
): Promise<RefundRow[]> {
  return (await db.query<RefundRow>(OPEN, [options.olderThanSeconds, options.limit])).rows;
}

/** A refund that was asked about goes to the end. */
export async function noteAsked(db: Database, id: string): Promise<void> {
  await db.query(NOTE_ASKED, [id]);
}
