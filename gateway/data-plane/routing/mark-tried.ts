import type { Route } from '../../catalog/catalog.ts';
import type { Verdict } from '../../providers/verdict.ts';
import type { ChannelHealth } from './channel-health.ts';
import { CREDENTIAL_COOLDOWN_MS, hasOtherCredential } from './next-credential.ts';

/** What is known behind an attempt. */
interface Attempted {
  readonly verdict: Verdict;
  readonly health: ChannelHealth;
  readonly tried: string[];
  /** No other credential can serve the request, though others can serve the channel's requests. */
  readonly isBound?: boolean;
}

/**
 * Marks what this request will not use again: the credential, when the failure is of it and the
 * channel has another one, or the channel.
 */
export function markTried(
  route: Route,
  credential: string | null,
  { verdict, health, tried, isBound = false }: Attempted,
): string {
  const ofCredential =
    verdict.scope === 'credential' &&
    credential !== null &&
    (isBound
      ? route.channel.credentials.length > 1
      : hasOtherCredential(route, { health, tried: [...tried, credential], conversation: null }));
  const unusable = ofCredential ? credential : route.channel.id;
  tried.push(unusable);
  if (verdict.health === 'limited') {
    health.limit(unusable, route.upstreamModel, verdict.refusal.retryAfterMs);
  } else if (ofCredential) health.coolDown(credential, CREDENTIAL_COOLDOWN_MS);
  else if (verdict.scope === 'model') health.missModel(route.channel.id, route.upstreamModel);
  return unusable;
}
