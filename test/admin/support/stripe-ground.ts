import { type signedEvent, startFakeStripe, STRIPE_KEY, WEBHOOK_SECRET } from './fake-stripe.ts';
import { layAdminGround, type AdminGround } from './ground.ts';

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
  return { stripe, ground, close };
}

/** What Stripe says, signed as it does. */
export function deliverTo(ground: AdminGround, event: ReturnType<typeof signedEvent>) {
  return ground.app.inject({ method: 'POST', url: '/api/v1/stripe-webhooks', ...event });
}
