import type { Database } from '../api/transaction.ts';
import { addCredit } from '../credits/add-credit.ts';
import { issueReinstatement } from '../invoices/correct-invoice.ts';
import { givePeriodBack, takePeriodBack } from '../subscriptions/take-period-back.ts';
import { findOrder, type OrderRow } from './order-row.ts';
import type { RefundRow } from './refund-row.ts';

const INSERT = `
  insert into order_refunds (id, order_id, kind, amount_nano_usd, reason, status, stripe_refund_id, actor, repeats)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const FAIL = `
  update order_refunds set status = 'failed', stripe_refund_id = coalesce(stripe_refund_id, $2)
  where id = $1 and status <> 'failed'`;

const SET_STATUS = 'update orders set status = $2, updated_at = now() where id = $1';

const BOOK_PLAN_REFUND = `
  insert into journal_entries (account_id, debit, credit, amount_nano_usd, reference)
  values ($1, $2, $3, $4, $5)`;

/**
 * A plan's period goes with the whole price, and comes back with any part of it that has not gone.
 */
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

/** What the customer reads alongside the money that came back. */
const REASON_GIVEN_BACK: Readonly<Record<RefundRow['kind'], string>> = {
  refund: 'The refund to the card failed',
  chargeback: 'The card dispute was won',
};

interface NewRefund {
  readonly id: string;
  readonly order: OrderRow;
  readonly kind: RefundRow['kind'];
  readonly amountNanoUsd: number;
  readonly reason: string;
  readonly status: RefundRow['status'];
  readonly stripeRefundId: string | null;
  readonly actor: string;
  /** The request's first refund when that has failed and this is another. */
  readonly repeats: string | null;
}

/** Notes a refund without moving money: one that is written as failed will never take any. */
export async function insertRefund(db: Database, refund: NewRefund): Promise<void> {
  await db.query(INSERT, [
    refund.id,
    refund.order.id,
    refund.kind,
    refund.amountNanoUsd,
    refund.reason,
    refund.status,
    refund.stripeRefundId,
    refund.actor,
    refund.repeats,
  ]);
}

/**
 * Takes the money back out of the books: from the balance, or from the revenue of a plan. The order
 * is locked, here and below: two refunds of one order, computed concurrently, would both see
 * too little of it gone.
 */
export async function takeRefund(db: Database, refund: NewRefund): Promise<void> {
  const { id, order, amountNanoUsd } = refund;
  await insertRefund(db, refund);
  if (order.kind === 'plan') {
    const entry = [order.accountId, 'plan_revenue', 'cash', amountNanoUsd, `refund:${id}`];
    await db.query(BOOK_PLAN_REFUND, entry);
  } else {
    await addCredit(db, {
      entryId: `refund:${id}`,
      accountId: order.accountId,
      amountNanoUsd: -amountNanoUsd,
      kind: refund.kind,
      reason: refund.reason,
      actor: refund.actor,
    });
  }
  await followRefunds(db, order.id);
}

/**
 * Gives the money back to the books, once. `stripeRefundId` names what failed at Stripe; null when
 * Stripe made nothing.
 */
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
      kind: refund.kind,
      reason: REASON_GIVEN_BACK[refund.kind],
      actor: 'stripe',
    });
  }
  await followRefunds(db, order.id);
  await issueReinstatement(db, refund);
}
