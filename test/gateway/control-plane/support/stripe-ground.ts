import type { Stripe } from 'stripe';
import type { AdminContext } from '../../../../gateway/control-plane/api/context.ts';
import { reconcileOrders } from '../../../../gateway/control-plane/orders/reconcile.ts';
import { openStripe } from '../../../../gateway/control-plane/orders/stripe-client.ts';
import { signedEvent, startFakeStripe, STRIPE_KEY, WEBHOOK_SECRET } from './fake-stripe.ts';
import { layAdminGround, type AdminGround, type Person } from './ground.ts';

/** What the periodic jobs run with. */
export interface StripeContext extends AdminContext {
  readonly stripe: Stripe;
}

type StripeGround = Awaited<ReturnType<typeof layStripeGround>>;

/** Makes everything so old that the reconciliation asks about it. */
const AGE = [
  `update orders set created_at = created_at - interval '1 minute' where status = 'pending'`,
  `update orders set reversals_due_at = now() - interval '1 minute' where reversals_due_at is not null`,
  `update order_refunds set created_at = created_at - interval '1 minute' where status = 'pending'`,
];

/** An admin API that takes cards, through a Stripe of its own. */
export async function layStripeGround() {
  const stripe = await startFakeStripe();
  const ground = await layAdminGround({
    stripeAddress: stripe.address,
    config: { stripeSecretKey: STRIPE_KEY, stripeWebhookSecret: WEBHOOK_SECRET },
  });
  const close = async (): Promise<void> => {
    await ground.close();
    await stripe.close();
  };
  const context = {
    stripe: await openStripe({ stripeSecretKey: STRIPE_KEY }, stripe.address),
    pool: ground.pool,
    ledger: ground.ledger,
    logger: ground.app.log,
  } as unknown as StripeContext;
  /** What happens by itself, some time after anything else: Stripe is asked about everything. */
  const reconcileLater = async (): Promise<void> => {
    for (const statement of AGE) await ground.pool.query(statement);
    await reconcileOrders(context);
  };
  return { stripe, ground, context, reconcileLater, close };
}

/** An order that its payer has paid, as Stripe tells by its webhook; answers its id. */
export async function paidOrder(
  { ground, stripe }: Pick<StripeGround, 'ground' | 'stripe'>,
  as: Person,
  body: object = { kind: 'top_up', amountUsd: '25' },
): Promise<string> {
  const { id } = (await ground.ask('createOrder', { as, body })).reply;
  await deliverTo(ground, signedEvent('checkout.session.completed', stripe.pay(id)));
  return id;
}

/** What Stripe says, signed as it does. */
export function deliverTo(ground: AdminGround, event: ReturnType<typeof signedEvent>) {
  return ground.app.inject({ method: 'POST', url: '/api/v1/stripe-webhooks', ...event });
}
