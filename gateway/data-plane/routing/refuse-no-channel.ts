import type { Offer, Route } from '../../catalog/catalog.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { UPSTREAM_LIMITED } from '../../providers/verdict.ts';
import type { ChannelHealth } from './channel-health.ts';

/**
 * Refuses a request that no channel can serve now: 429 while upstreams do nothing but limit it,
 * else 503.
 */
export function refuseNoChannel(
  { model }: Offer,
  routes: readonly Route[],
  health: ChannelHealth,
): Refusal {
  const waitsMs = routes.map(({ channel, upstreamModel }) =>
    health.unavailableForMs(channel.id, upstreamModel),
  );
  const retryAfterMs = waitsMs.length === 0 ? null : Math.max(1_000, Math.min(...waitsMs));
  if (routes.length > 0 && routes.every((route) => health.isLimited(route, route.upstreamModel))) {
    return refuse('upstream_rate_limited', UPSTREAM_LIMITED, { retryAfterMs });
  }
  return refuse(
    'no_channel_available',
    `No upstream serves ${model.publicId} right now. Nothing was charged; try again later or use another model.`,
    { retryAfterMs },
  );
}
