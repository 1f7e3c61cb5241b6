import type { Stripe } from 'stripe';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { NANO_USD_PER_CENT } from '../api/amount.ts';
import type { AdminContext } from '../api/context.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import { issueCreditNote } from '../invoices/correct-invoice.ts';
import { findOrder, type OrderRow } from './order-row.ts';
import { giveRefundBack, insertRefund, takeRefund } from './refund-books.ts';
import { findSaidOrderId, findSaidRefund } from './refund-row.ts';
import { underOrderLock } from './under-order-lock.ts';

/** What became of the disputed money: the card holder's bank took it, or it came back. */
type DisputeResult = 'withdrawn' | 'reinstated';

const SENT_BACK = `
  select coalesce(sum(amount_nano_usd), 0)::bigint as "nanoUsd" from order_refunds
  where order_id = $1 and status = 'succeeded'`;

/**
 * What a dispute itself tells. Undefined for an inquiry, and for one whose payment was refunded
 * before: they take nothing.
 */
export function outcomeOf(dispute: Stripe.Dispute): DisputeResult | undefined {
  if (dispute.status === 'won') return 'reinstated';
  const isWithdrawn =
    dispute.status === 'lost' || dispute.balance_transactions.some(({ amount }) => amount < 0);
  return isWithdrawn ? 'withdrawn' : undefined;
}

/**
 * No more than the order still has at Stripe: of what was refunded before, the bank's excess comes
 * back to the operator also when the dispute is lost. A refund under way counts as not sent: a
 * dispute makes it fail.
 */
async function disputedAmount(
  db: Database,
  order: OrderRow,
  dispute: Stripe.Dispute,
): Promise<number> {
  const { rows } = await db.query<{ nanoUsd: number }>(SENT_BACK, [order.id]);
  const left = order.amountNanoUsd - onlyRow(rows).nanoUsd;
  return Math.min(dispute.amount * NANO_USD_PER_CENT, left);
}

/**
 * Acts on a dispute's money. Once per dispute, whatever is said again or late: its row stays, and
 * what was given back is not taken again.
 */
export async function applyDispute(
  context: AdminContext,
  dispute: Stripe.Dispute,
  outcome: DisputeResult | undefined,
): Promise<void> {
  if (outcome === undefined) return;
  const orderId = await findSaidOrderId(context.pool, dispute);
  if (orderId === undefined) return;
  await underOrderLock(context, orderId, async (client, order) => {
    const known = await findSaidRefund(client, dispute);
    if (known !== undefined) {
      if (outcome === 'withdrawn') return;
      await giveRefundBack(client, order, { refund: known, stripeRefundId: dispute.id });
      return;
    }
    const amountNanoUsd = await disputedAmount(client, order, dispute);
    if (amountNanoUsd <= 0) return;
    const chargeback = {
      id: newRequestId(Date.now()),
      order,
      kind: 'chargeback',
      amountNanoUsd,
      reason: 'Disputed with the bank of the card',
      stripeRefundId: dispute.id,
      actor: 'stripe',
      repeats: null,
    } as const;
    // That it was taken may be said later than that it came back.
    if (outcome === 'reinstated') await insertRefund(client, { ...chargeback, status: 'failed' });
    else {
      await takeRefund(client, { ...chargeback, status: 'succeeded' });
      await issueCreditNote(client, { ...chargeback, orderId });
    }
  });
}

/** Evidence is due within days, and only a person has it. */
export async function tellDispute(context: AdminContext, dispute: Stripe.Dispute): Promise<void> {
  const orderId = await findSaidOrderId(context.pool, dispute);
  const order = orderId === undefined ? undefined : await findOrder(context.pool, orderId);
  context.logger.error(
    { dispute: dispute.id, orderId, accountId: order?.accountId },
    'a card holder disputes a payment',
  );
}
