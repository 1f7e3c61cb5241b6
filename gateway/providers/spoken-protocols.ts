import type { ProtocolId } from '../protocols/protocol.ts';
import type { Provider } from './provider.ts';

/**
 * Returns the protocols that a channel can be spoken to in, the best first.
 * @param listed what its operator has set; null: what is usual for its kind
 */
export function spokenProtocols(
  provider: Pick<Provider, 'speaks' | 'maySpeak'>,
  listed: readonly ProtocolId[] | null,
): readonly ProtocolId[] {
  if (listed === null) return provider.speaks;
  const possible = provider.maySpeak ?? provider.speaks;
  return listed.filter((id) => possible.includes(id));
}
