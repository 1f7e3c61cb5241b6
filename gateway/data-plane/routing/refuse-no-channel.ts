import type { Offer } from '../../catalog/catalog.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { UPSTREAM_LIMITED } from '../../providers/verdict.ts';
import type { ChannelHealth } from './health/channel-health.ts';
import type { ServedRoute } from './served-routes.ts';

/** The routes that cannot serve a request, and its account. */
interface Unserved {
  readonly routes: readonly ServedRoute[];
  readonly health: ChannelHealth;
  readonly accountId: string;
}

/**
 * Refuses a request that no channel can serve now: with the upstream's own refusal while it lacks
 * the model, with 429 while upstreams only limit it, otherwise with 503.
 */
export function refuseNoChannel({ model }: Offer, unserved: Unserved): Refusal {
  const { routes, health, accountId } = unserved;
  const missing = routes.map((route) => health.missingRefusal(route, accountId));
  const [first] = missing;
  // A later retry cannot succeed.
  if (first !== undefined && !missing.includes(undefined)) return first;
  const waitsMs = routes.map((route) => health.unavailableForMs(route, accountId));
  const retryAfterMs = waitsMs.length === 0 ? null : Math.max(1_000, Math.min(...waitsMs));
  if (routes.length > 0 && routes.every((route) => health.isLimited(route, accountId))) {
    return refuse('upstream_rate_limited', UPSTREAM_LIMITED, { retryAfterMs });
  }
  return refuse(
    'no_channel_available',
    `No upstream serves ${model.publicId} right now. Nothing was charged; try again later or use another model.`,
    { retryAfterMs },
  );
}
