import type { Stripe } from 'stripe';
import type { WebhookReceipt } from '@weir/shared/money/orders';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { applyCheckout } from './apply-checkout.ts';
import { applyDispute, outcomeOf, tellDispute } from './chargebacks.ts';
import { applyRefund } from './refunds.ts';
import { isStripeError } from './stripe-client.ts';

/** Older deliveries are refused: a recorded one cannot be sent again next week. */
const TOLERANCE_SECONDS = 300;

async function verify(
  context: AdminContext,
  stripe: Stripe,
  options: { readonly body: unknown; readonly signature: string | string[] | undefined },
): Promise<Stripe.Event | Refusal> {
  const { body, signature } = options;
  const secret = context.config.stripeWebhookSecret?.trim() ?? '';
  // Anyone can sign with an empty secret.
  if (secret === '') {
    return refuse(
      'webhook_refused',
      'STRIPE_WEBHOOK_SECRET is not set, so nothing can be verified.',
    );
  }
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') {
    return refuse(
      'webhook_refused',
      'A webhook needs its raw body and the header Stripe-Signature.',
    );
  }
  try {
    return await stripe.webhooks.constructEventAsync(body, signature, secret, TOLERANCE_SECONDS);
  } catch (error) {
    if (
      (isStripeError(error) && error.type === 'StripeSignatureVerificationError') ||
      error instanceof SyntaxError
    ) {
      return refuse('webhook_refused', 'The signature does not fit the body, or is too old.');
    }
    throw error;
  }
}

async function act(context: AdminContext, event: Stripe.Event): Promise<void> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      await applyCheckout(context, event.data.object);
      break;
    case 'checkout.session.async_payment_failed':
      await applyCheckout(context, event.data.object, { failed: true });
      break;
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      await applyRefund(context, event.data.object);
      break;
    case 'charge.dispute.created':
      await tellDispute(context, event.data.object);
      break;
    case 'charge.dispute.funds_withdrawn':
      await applyDispute(context, event.data.object, 'withdrawn');
      break;
    case 'charge.dispute.funds_reinstated':
      // Of a lost one only the excess over an earlier refund comes back, which the order has not
      // lost.
      if (event.data.object.status !== 'lost')
        await applyDispute(context, event.data.object, 'reinstated');
      break;
    case 'charge.dispute.closed':
      await applyDispute(context, event.data.object, outcomeOf(event.data.object));
      break;
    default:
      break;
  }
}

/**
 * Takes an event that Stripe signed. Whatever it says is done once, however often it is delivered.
 */
export async function receiveStripeWebhook(
  call: Call<'receiveStripeWebhook'>,
): Promise<WebhookReceipt | Refusal> {
  const { context, request } = call;
  const { stripe } = context;
  if (stripe === null) return refuse('card_payments_unavailable');
  const event = await verify(context, stripe, {
    body: request.body,
    signature: request.headers['stripe-signature'],
  });
  if ('refused' in event) return event;
  await act(context, event);
  return { received: true };
}
