import type Stripe from 'stripe';
import type { AdminConfig, StripeAddress } from '../admin-deps.ts';

const TIMEOUT_MS = 20_000;
const RETRIES_MAX = 2;

/** As many as Stripe lists at once: more refunds or disputes of one payment than there ever are. */
export const STRIPE_PAGE_MAX = 100;

/**
 * The official client, or null when no key is configured: then its two hundred modules are not read
 * either.
 */
export async function openStripe(
  config: Pick<AdminConfig, 'stripeSecretKey'>,
  address: StripeAddress | undefined,
): Promise<Stripe | null> {
  if (config.stripeSecretKey === null) return null;
  const { default: Client } = await import('stripe');
  return new Client(config.stripeSecretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    appInfo: { name: 'Weir' },
    ...(address ?? {}),
  });
}

/**
 * Whether the client threw it. By its name: to compare classes, all of the client would have to be
 * read by those that do not use it.
 */
export function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && /^Stripe\w*Error$/.test(String(error.type));
}
