import type { Database } from '../api/transaction.ts';
import { addCredit } from '../credits/add-credit.ts';
import { givePeriodBack, takePeriodBack } from '../subscriptions/take-period-back.ts';
import { findOrder, type OrderRow } from './order-row.ts';
import type { RefundRow } from './refund-row.ts';

const INSERT = `
  insert into order_refunds (id, order_id, amount_nano_usd, reason, stripe_refund_id, actor, repeats)
  values ($1, $2, $3, $4, $5, $6, $7)`;

const FAIL = `
  update order_refunds set status = 'failed', stripe_refund_id = coalesce(stripe_refund_id, $2)
  where id = $1 and status <> 'failed'`;

const SET_STATUS = 'update orders set status = $2, updated_at = now() where id = $1';

const BOOK_PLAN_REFUND = `
  insert into journal_entries (account_id, debit, credit, amount_nano_usd, reference)
  values ($1, $2, $3, $4, $5)`;

/** A plan's period goes with the whole price, and comes back with any part of it that has not gone. */
async function followRefunds(db: Database, orderId: string): Promise<void> {
  const order = await findOrder(db, orderId);
  if (order === undefined) throw new Error('a refund names an order that is gone');
  const whole = order.refundedNanoUsd >= order.amountNanoUsd;
  const part = order.refundedNanoUsd > 0 ? 'partly_refunded' : 'paid';
  await db.query(SET_STATUS, [orderId, whole ? 'refunded' : part]);
  if (order.kind !== 'plan') return;
  const period = { periodId: orderId, accountId: order.accountId };
  await (whole ? takePeriodBack(db, period) : givePeriodBack(db, period));
}

interface NewRefund {
  readonly id: string;
  readonly order: OrderRow;
  readonly amountNanoUsd: number;
  readonly reason: string;
  readonly stripeRefundId: string | null;
  readonly actor: string;
  /** The request's first refund when that has failed and this is another. */
  readonly repeats: string | null;
}

/**
 * Takes the money back out of the books: from the balance, or from the revenue of a plan. The order is locked, here and
 * below: two refunds of one order, reckoned beside each other, would both see too little of it gone.
 */
export async function takeRefund(db: Database, refund: NewRefund): Promise<void> {
  const { id, order, amountNanoUsd } = refund;
  await db.query(INSERT, [
    id,
    order.id,
    amountNanoUsd,
    refund.reason,
    refund.stripeRefundId,
    refund.actor,
    refund.repeats,
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
  await followRefunds(db, order.id);
}

/** Gives the money back to the books, once. `stripeRefundId` names what failed at Stripe; null when Stripe made nothing. */
export async function giveRefundBack(
  db: Database,
  order: OrderRow,
  failed: { readonly refund: RefundRow; readonly stripeRefundId: string | null },
): Promise<void> {
  const { refund, stripeRefundId } = failed;
  const marked = await db.query(FAIL, [refund.id, stripeRefundId]);
  if (marked.rowCount === 0) return;
  const reference = `refund-failed:${refund.id}`;
  if (order.kind === 'plan') {
    const entry = [order.accountId, 'cash', 'plan_revenue', refund.amountNanoUsd, reference];
    await db.query(BOOK_PLAN_REFUND, entry);
  } else {
    await addCredit(db, {
      entryId: reference,
      accountId: order.accountId,
      amountNanoUsd: refund.amountNanoUsd,
      kind: 'refund',
      reason: 'The refund to the card failed',
      actor: 'stripe',
    });
  }
  await followRefunds(db, order.id);
}
