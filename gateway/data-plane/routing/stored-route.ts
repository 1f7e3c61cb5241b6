import type { ServedRoute } from './served-routes.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { StoredThings } from '../../protocols/stored-replies.ts';
import { ofRequest, UPSTREAM_LIMITED, type Verdict } from '../../providers/verdict.ts';
import type { ChannelHealth } from './health/channel-health.ts';

/** The only place that has what a request refers to. */
export interface StoredRoute {
  readonly route: ServedRoute;
  readonly credential: string | null;
  readonly things: StoredThings;
  /** The refusal that the client gets if the upstream no longer has it. */
  readonly notFound: Refusal;
}

/** Credentials of its channel that the request must not use, as if they had been tried. */
export function otherCredentials({ route, credential }: StoredRoute): string[] {
  return route.channel.credentials.filter((other) => other !== credential);
}

/** Refuses a request while the only place that can serve it is not to be used. */
export function refuseStoredAway(
  { route, credential }: StoredRoute,
  health: ChannelHealth,
  accountId: string,
): Refusal {
  // The other credentials of its channel do not count.
  const credentials = credential === null ? [] : [credential];
  const only = { ...route, channel: { ...route.channel, credentials } };
  const retryAfterMs = Math.max(1_000, health.unavailableForMs(only, accountId));
  if (health.isLimited(only, accountId)) {
    return refuse('upstream_rate_limited', UPSTREAM_LIMITED, { retryAfterMs });
  }
  return refuse(
    'no_channel_available',
    'The upstream account that stores the earlier parts of this conversation cannot be used right now. Nothing was charged; try again later, or send the whole conversation.',
    { retryAfterMs },
  );
}

/**
 * Judges the error of an upstream that has forgotten what was stored: it says nothing about the
 * model there, and its id means nothing to the client.
 */
export function lacksReply(
  { route: { provider }, notFound }: StoredRoute,
  status: number,
  body: Buffer,
): Verdict | undefined {
  return provider.lacksStored?.(status, body) === true ? ofRequest(notFound) : undefined;
}
