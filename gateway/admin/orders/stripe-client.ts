import Stripe from 'stripe';
import type { AdminConfig, StripeAddress } from '../admin-deps.ts';

const TIMEOUT_MS = 20_000;
const RETRIES_MAX = 2;

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
