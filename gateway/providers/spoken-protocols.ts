import type { UpstreamProtocolId } from '../protocols/protocol.ts';
import type { Provider } from './provider.ts';

/** Where a model is asked for, as far as it decides what is spoken there. */
export interface SpokenAt {
  readonly upstreamModel: string;
  /** Of the channel, without a trailing slash. */
  readonly baseUrl: string;
}

/**
 * Returns the protocols that a model can be spoken to in at a channel, the best first.
 * @param listed what the channel's operator has set; null: what is usual for its kind
 */
export function spokenProtocols(
  provider: Pick<Provider, 'speaks' | 'speaksTo' | 'maySpeak'>,
  listed: readonly UpstreamProtocolId[] | null,
  { upstreamModel, baseUrl }: SpokenAt,
): readonly UpstreamProtocolId[] {
  if (listed === null) return provider.speaksTo?.(upstreamModel, baseUrl) ?? provider.speaks;
  const possible = provider.maySpeak ?? provider.speaks;
  return listed.filter((id) => possible.includes(id));
}
