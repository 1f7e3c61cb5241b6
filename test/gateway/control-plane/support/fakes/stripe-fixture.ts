import type { Stripe } from 'stripe';
import type { AdminContext } from '../../../../../gateway/control-plane/api/context.ts';
import { reconcileOrders } from '../../../../../gateway/control-plane/orders/reconcile.ts';
import { openStripe } from '../../../../../gateway/control-plane/orders/stripe-client.ts';
import { signedEvent, startFakeStripe, STRIPE_KEY, WEBHOOK_SECRET } from './fake-stripe.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../fixture.ts';

/** The context of the periodic jobs. */
export interface StripeContext extends AdminContext {
  readonly stripe: Stripe;
}

type StripeFixture = Awaited<ReturnType<typeof createStripeFixture>>;

/** Makes everything so old that the reconciliation asks about it. */
const AGE = [
  `update orders set created_at = created_at - interval '1 minute' where status = 'pending'`,
  `update orders set reversals_due_at = now() - interval '1 minute' where reversals_due_at is not null`,
  `update order_refunds set created_at = created_at - interval '1 minute' where status = 'pending'`,
];

/** An admin API that takes cards, through a Stripe of its own. */
export async function createStripeFixture() {
  const stripe = await startFakeStripe();
  const fixture = await createAdminFixture({
    stripeAddress: stripe.address,
    config: { stripeSecretKey: STRIPE_KEY, stripeWebhookSecret: WEBHOOK_SECRET },
  });
  const close = async (): Promise<void> => {
    await fixture.close();
    await stripe.close();
  };
  const context = {
    stripe: await openStripe({ stripeSecretKey: STRIPE_KEY }, stripe.address),
    pool: fixture.pool,
    ledger: fixture.ledger,
    logger: fixture.app.log,
  } as unknown as StripeContext;
  /**
   * Runs the reconciliation that follows by itself some time later: Stripe is asked about
   * everything.
   */
  const reconcileLater = async (): Promise<void> => {
    for (const statement of AGE) await fixture.pool.query(statement);
    await reconcileOrders(context);
  };
  return { stripe, fixture, context, reconcileLater, close };
}

/** An order that its payer has paid, as Stripe tells by its webhook; answers its id. */
export async function paidOrder(
  { fixture, stripe }: Pick<StripeFixture, 'fixture' | 'stripe'>,
  as: Person,
  body: object = { kind: 'top_up', amountUsd: '25' },
): Promise<string> {
  const { id } = (await fixture.ask('createOrder', { as, body })).reply;
  await deliverTo(fixture, signedEvent('checkout.session.completed', stripe.pay(id)));
  return id;
}

/** Delivers an event of Stripe, signed as Stripe does. */
export function deliverTo(fixture: AdminFixture, event: ReturnType<typeof signedEvent>) {
  return fixture.app.inject({ method: 'POST', url: '/api/v1/stripe-webhooks', ...event });
}
