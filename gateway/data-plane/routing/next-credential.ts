import { affinity } from './affinity.ts';
import type { ChannelHealth } from './health/channel-health.ts';
import { limitKey, type HealthRoute } from './health/channel-state.ts';

/** The inputs of a choice. */
export interface Choice {
  readonly health: ChannelHealth;
  readonly accountId: string;
  /**
   * The ids that this request has used up: channels, credentials of channels with several, and
   * health keys of routes.
   */
  readonly tried: readonly string[];
  /** Stays where it was served before, as far as that can serve it; null: the choice is random. */
  readonly conversation: string | null;
}

/**
 * Returns the credential to use next, among those that are usable and not in `tried`: that of the
 * conversation, or any. Null when there is none. A channel's only credential is used as long as the
 * channel is.
 */
export function nextCredential(
  { channel: { credentials }, upstreamModel, location }: Omit<HealthRoute, 'healthKey'>,
  { health, accountId, tried, conversation }: Choice,
): string | null {
  if (credentials.length < 2) return credentials[0] ?? null;
  const limited = limitKey({ upstreamModel, location });
  let best = -1;
  let chosen: string | null = null;
  for (const credential of credentials) {
    if (tried.includes(credential)) continue;
    if (!health.mayUseCredential(credential, limited, accountId)) continue;
    const score = conversation === null ? Math.random() : affinity(conversation, credential);
    if (score <= best) continue;
    best = score;
    chosen = credential;
  }
  return chosen;
}

/** Reports whether a channel with several credentials has one left. */
export function hasOtherCredential(route: Omit<HealthRoute, 'healthKey'>, choice: Choice): boolean {
  return route.channel.credentials.length > 1 && nextCredential(route, choice) !== null;
}
