import type { Stripe } from 'stripe';
import type { AdminContext } from '../api/context.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { addCredit } from '../credits/add-credit.ts';
import { pushCredits } from '../credits/push-credits.ts';
import { issueInvoice } from '../invoices/issue-invoice.ts';
import { findPlan } from '../plans/plan-row.ts';
import { activatePlan } from '../subscriptions/activate-plan.ts';
import { centsOf, findOrder, type OrderRow } from './order-row.ts';
import { applyReversals } from './reversals.ts';

const CURRENCY = 'usd';

const PAY = `
  update orders set status = 'paid', paid_at = now(), payment_intent_id = $2,
    checkout_session_id = coalesce(checkout_session_id, $3), updated_at = now()
  where id = $1`;

const DISPUTE = `
  update orders set status = 'disputed', dispute = $2, updated_at = now() where id = $1`;

const EXPIRE = `
  update orders set status = 'expired', updated_at = now() where id = $1 and status = 'pending'`;

/** A plan paid by card never touches the balance; its revenue is booked at once. */
const BOOK_PLAN = `
  insert into journal_entries (account_id, debit, credit, amount_nano_usd, reference)
  values ($1, 'cash', 'plan_revenue', $2, 'order:' || $3::text)`;

function idOf(reference: string | { readonly id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

/** Why what was paid is not what was ordered; undefined when it is. */
function differenceOf(order: OrderRow, session: Stripe.Checkout.Session): string | undefined {
  const cents = centsOf(order.amountNanoUsd);
  if (order.checkoutSessionId !== null && order.checkoutSessionId !== session.id) {
    return 'It was paid through a checkout that is not this order’s.';
  }
  if (session.currency !== CURRENCY) return `It was paid in ${session.currency ?? 'no currency'}.`;
  if (session.amount_total === cents) return undefined;
  return `${String(session.amount_total)} cents were paid where ${String(cents)} were ordered.`;
}

/**
 * True when a payment that takes days has failed or was cancelled. A webhook names the payment
 * alone: this is for a checkout that was asked for along with its payment.
 */
function hasFailed({ status, payment_intent: payment }: Stripe.Checkout.Session): boolean {
  if (status !== 'complete' || payment === null || typeof payment === 'string') return false;
  return payment.status === 'requires_payment_method' || payment.status === 'canceled';
}

async function deliver(db: Database, order: OrderRow): Promise<void> {
  const { id, accountId, amountNanoUsd } = order;
  if (order.planId === null) {
    await addCredit(db, {
      entryId: `order:${id}`,
      accountId,
      amountNanoUsd,
      kind: 'top_up',
      reason: 'Card payment',
      actor: 'stripe',
    });
    return;
  }
  const known = await findPlan(db, order.planId);
  if (known === undefined) throw new Error('an order names a plan that is gone');
  const plan = { ...known, ...order.planTerms };
  await db.query(BOOK_PLAN, [accountId, amountNanoUsd, id]);
  await activatePlan(db, {
    periodId: id,
    accountId,
    plan,
    source: 'card',
    priceNanoUsd: amountNanoUsd,
    days: plan.periodDays,
    renews: null,
  });
}

async function payOrder(
  db: Database,
  order: OrderRow,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const difference = differenceOf(order, session);
  if (difference !== undefined) {
    await db.query(DISPUTE, [order.id, difference]);
    return;
  }
  await db.query(PAY, [order.id, idOf(session.payment_intent), session.id]);
  await deliver(db, order);
  await issueInvoice(db, order);
}

/**
 * What went back before the payment was known here. The payment stands whatever Stripe answers; the
 * reconciliation asks again.
 */
async function lookForReversals(context: AdminContext, order: OrderRow): Promise<void> {
  if (context.stripe === null) return;
  try {
    await applyReversals(context, context.stripe, order);
  } catch (error) {
    const { id: orderId } = order;
    context.logger.warn(
      { err: error, orderId },
      'refunds and disputes could not be read; reconciliation will apply them',
    );
  }
}

/**
 * Acts on what Stripe says about a checkout: from a verified webhook, or asked for. However often
 * and in whatever order it is said, an order is delivered once, because its row is locked and
 * leaves `pending` once. A payment that arrives after the order had expired is still money,
 * so it is delivered too. `failed` says that a payment which takes days has come to nothing.
 */
export async function applyCheckout(
  context: AdminContext,
  session: Stripe.Checkout.Session,
  options: { readonly failed: boolean } = { failed: false },
): Promise<void> {
  const orderId = session.client_reference_id;
  if (orderId === null || !/^[0-9a-f-]{36}$/.test(orderId)) return;
  const changed = await inTransaction(context.pool, async (client) => {
    const order = await findOrder(client, orderId, { lock: true });
    if (order === undefined || !['pending', 'expired'].includes(order.status)) return undefined;
    if (session.payment_status === 'paid') await payOrder(client, order, session);
    else if (options.failed || session.status === 'expired' || hasFailed(session)) {
      await client.query(EXPIRE, [order.id]);
    }
    return order;
  });
  if (changed === undefined || 'refused' in changed) return;
  await pushCredits(context, changed.accountId);
  const after = await findOrder(context.pool, orderId);
  if (after?.status === 'disputed') {
    context.logger.error({ orderId, dispute: after.dispute }, 'a payment differs from its order');
  }
  if (after !== undefined) await lookForReversals(context, after);
}
