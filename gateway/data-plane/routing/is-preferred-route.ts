import type { Route } from '../../catalog/catalog.ts';
import { affinity } from './affinity.ts';

/**
 * Reports whether a route is the one that a conversation takes while every channel is healthy. On
 * other routes, another upstream account may be unable to verify what the first has signed or
 * encrypted.
 * @param routes ordered by priority, the highest first
 */
export function isPreferredRoute(
  routes: readonly Route[],
  { route, credential }: { readonly route: Route; readonly credential: string | null },
  conversation: string,
): boolean {
  const { channel } = route;
  const priority = routes[0]?.channel.priority;
  const home = closest(
    routes.filter((candidate) => candidate.channel.priority === priority),
    (candidate) => affinity(conversation, candidate.channel.id, candidate.channel.weight),
  );
  if (home !== undefined && home.channel.id !== channel.id) return false;
  if (channel.credentials.length < 2) return true;
  return credential === closest(channel.credentials, (one) => affinity(conversation, one));
}

function closest<Candidate>(
  candidates: readonly Candidate[],
  score: (candidate: Candidate) => number,
): Candidate | undefined {
  if (candidates.length < 2) return candidates[0];
  let best = -1;
  let chosen: Candidate | undefined;
  for (const candidate of candidates) {
    const own = score(candidate);
    if (own <= best) continue;
    best = own;
    chosen = candidate;
  }
  return chosen;
}
