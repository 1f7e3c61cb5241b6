import type { Route } from '../../catalog/catalog.ts';
import { affinity } from './affinity.ts';
import { nextCredential, type Choice } from './next-credential.ts';

/** A route that can be chosen. */
export interface RouteChoice extends Route {
  readonly healthKey: string;
  /** The same model at the same channel: in the next best protocol, or at the next location. */
  readonly alternative?: this | undefined;
}

/**
 * Returns the route to try next, from the highest priority that has a usable channel left: the
 * conversation's own channel, or one chosen by weight. An unresponsive channel is chosen only if
 * there is no other.
 * @param routes one per channel, ordered by priority, the highest first
 */
export function nextRoute<R extends RouteChoice>(
  routes: readonly R[],
  choice: Choice,
): R | undefined {
  const { health, tried, conversation } = choice;
  let weightTotal = 0;
  let best = -1;
  let priority: number | undefined;
  let chosen: R | undefined;
  let unresponsive: R | undefined;
  for (const preferred of routes) {
    const { channel } = preferred;
    if (priority !== undefined && channel.priority < priority) break;
    if (tried.includes(channel.id)) continue;
    const route = usable(preferred, choice);
    if (route === undefined) continue;
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

/** Returns the first of a channel's routes that may be used. */
function usable<R extends RouteChoice>(preferred: R, choice: Choice): R | undefined {
  const { health, accountId, tried } = choice;
  let route: R | undefined = preferred;
  while (route !== undefined) {
    const isFree = !tried.includes(route.healthKey) && health.mayUse(route, accountId);
    if (isFree && hasCredential(route, choice)) return route;
    route = route.alternative;
  }
  return undefined;
}

/** A channel's only credential is used as long as the channel is. */
function hasCredential(route: RouteChoice, choice: Choice): boolean {
  return route.channel.credentials.length < 2 || nextCredential(route, choice) !== null;
}
