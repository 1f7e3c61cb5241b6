import Stripe from 'stripe';
import type { AdminConfig, StripeAddress } from '../admin-deps.ts';

const TIMEOUT_MS = 20_000;
const RETRIES_MAX = 2;

/** As many as Stripe lists at once: more refunds or disputes of one payment than there ever are. */
export const STRIPE_PAGE_MAX = 100;

/** The official client, or null when no key is configured. */
export function openStripe(
  config: Pick<AdminConfig, 'stripeSecretKey'>,
  address: StripeAddress | undefined,
): Stripe | null {
  if (config.stripeSecretKey === null) return null;
  return new Stripe(config.stripeSecretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    appInfo: { name: 'Weir' },
    ...(address ?? {}),
  });
}
