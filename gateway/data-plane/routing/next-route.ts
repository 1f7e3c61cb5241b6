import type { Route } from '../../catalog/catalog.ts';
import type { ChannelHealth } from './channel-health.ts';
import { nextCredential } from './next-credential.ts';

/**
 * The next channel to try: of the highest priority that has a usable one left, one by weight; a silent one when there is
 * no other.
 * `tried` holds the channel ids, and the credentials of channels with several, that this request has already used up.
 * `routes` are ordered by priority.
 */
export function nextRoute<R extends Route>(
  routes: readonly R[],
  health: ChannelHealth,
  tried: readonly string[],
): R | undefined {
  let weightTotal = 0;
  let priority: number | undefined;
  let chosen: R | undefined;
  let unresponsive: R | undefined;
  for (const route of routes) {
    const { channel, upstreamModel } = route;
    if (priority !== undefined && channel.priority < priority) break;
    if (tried.includes(channel.id)) continue;
    if (!health.mayUse(channel.id, upstreamModel, channel.concurrencyMax)) continue;
    const several = channel.credentials.length > 1;
    if (several && nextCredential(route, health, tried) === null) continue;
    if (health.isUnresponsive(channel.id)) {
      unresponsive ??= route;
      continue;
    }
    priority = channel.priority;
    weightTotal += channel.weight;
    // Reservoir sampling: each candidate ends up chosen with probability weight / total, in one pass.
    if (chosen === undefined || Math.random() * weightTotal < channel.weight) chosen = route;
  }
  return chosen ?? unresponsive;
}
