import type { Route } from '../../catalog/catalog.ts';
import type { ChannelHealth } from './channel-health.ts';

/**
 * How long a credential that the upstream has refused stays unused while the channel has others. One that was revoked
 * costs an attempt a minute, and one that was refused for some other reason is soon back.
 */
export const CREDENTIAL_COOLDOWN_MS = 60_000;

/**
 * The credential to use next: at random one of those that neither rest nor were `tried` by this request. Null when there
 * is none. A channel's only credential rests with its channel.
 */
export function nextCredential(
  { channel: { credentials }, upstreamModel }: Route,
  health: ChannelHealth,
  tried: readonly string[],
): string | null {
  if (credentials.length < 2) return credentials[0] ?? null;
  let usable = 0;
  let chosen: string | null = null;
  for (const credential of credentials) {
    if (tried.includes(credential) || !health.mayUse(credential, upstreamModel, null)) continue;
    usable += 1;
    if (Math.random() * usable < 1) chosen = credential;
  }
  return chosen;
}

/** Whether a channel with several credentials has one left. */
export function hasOtherCredential(
  route: Route,
  health: ChannelHealth,
  tried: readonly string[],
): boolean {
  return route.channel.credentials.length > 1 && nextCredential(route, health, tried) !== null;
}
