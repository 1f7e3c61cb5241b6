import type { Route } from '../../catalog/catalog.ts';
import { affinity } from './affinity.ts';
import { nextCredential, type Choice } from './next-credential.ts';

/**
 * Returns the channel to try next: of the highest priority that has a usable one left the one that
 * the conversation belongs to, or any by weight; an unresponsive one when there is no other.
 * @param routes ordered by priority, the highest first
 */
export function nextRoute<R extends Route>(routes: readonly R[], choice: Choice): R | undefined {
  const { health, tried, conversation } = choice;
  let weightTotal = 0;
  let best = -1;
  let priority: number | undefined;
  let chosen: R | undefined;
  let unresponsive: R | undefined;
  for (const route of routes) {
    const { channel, upstreamModel } = route;
    if (priority !== undefined && channel.priority < priority) break;
    if (tried.includes(channel.id)) continue;
    if (!health.mayUse(channel.id, upstreamModel, channel.concurrencyMax)) continue;
    const several = channel.credentials.length > 1;
    if (several && nextCredential(route, choice) === null) continue;
    if (health.isUnresponsive(channel.id)) {
      unresponsive ??= route;
      continue;
    }
    priority = channel.priority;
    if (conversation !== null) {
      const score = affinity(conversation, channel.id, channel.weight);
      if (score <= best) continue;
      best = score;
      chosen = route;
      continue;
    }
    weightTotal += channel.weight;
    // Reservoir sampling: each candidate ends up chosen with probability weight / total, in one
    // pass.
    if (chosen === undefined || Math.random() * weightTotal < channel.weight) chosen = route;
  }
  return chosen ?? unresponsive;
}
