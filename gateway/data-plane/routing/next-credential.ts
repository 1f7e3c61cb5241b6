import type { Route } from '../../catalog/catalog.ts';
import { affinity } from './affinity.ts';
import type { ChannelHealth } from './channel-health.ts';

/**
 * How long a credential that the upstream has refused stays unused while the channel has others.
 * One that was revoked costs an attempt a minute, and one that was refused for some other reason is
 * soon back.
 */
export const CREDENTIAL_COOLDOWN_MS = 60_000;

/** What a choice depends on. */
export interface Choice {
  readonly health: ChannelHealth;
  /** Ids of channels, and credentials of channels with several, that this request has used up. */
  readonly tried: readonly string[];
  /** Stays where it was served before, as far as that can serve it; null: the choice is random. */
  readonly conversation: string | null;
}

/**
 * Returns the credential to use next: of those that can be used and were not `tried` the one that
 * the conversation belongs to, or any. Null when there is none. A channel's only credential is used
 * as long as the channel is.
 */
export function nextCredential(
  { channel: { credentials }, upstreamModel }: Route,
  { health, tried, conversation }: Choice,
): string | null {
  if (credentials.length < 2) return credentials[0] ?? null;
  let best = -1;
  let chosen: string | null = null;
  for (const credential of credentials) {
    if (tried.includes(credential) || !health.mayUse(credential, upstreamModel, null)) continue;
    const score = conversation === null ? Math.random() : affinity(conversation, credential);
    if (score <= best) continue;
    best = score;
    chosen = credential;
  }
  return chosen;
}

/** Whether a channel with several credentials has one left. */
export function hasOtherCredential(route: Route, choice: Choice): boolean {
  return route.channel.credentials.length > 1 && nextCredential(route, choice) !== null;
}
