import type { Codec } from '../protocols/protocol.ts';
import { codecsFor, type ServedEndpoint } from '../protocols/registry.ts';
import { providerOf } from '../providers/registry.ts';
import { spokenProtocols } from '../providers/spoken-protocols.ts';
import type { ChannelEntry } from './snapshot.ts';

/** The way of a channel to its upstream, as far as it decides what can be asked there. */
export type ChannelWay = Pick<ChannelEntry, 'kind' | 'protocols'>;

/** Returns the codecs between an endpoint and a channel, the best first; none: never served. */
export function channelCodecs(
  { kind, protocols }: ChannelWay,
  endpoint: Pick<ServedEndpoint, 'protocol' | 'operation'>,
): readonly Codec[] {
  return codecsFor(endpoint, spokenProtocols(providerOf(kind), protocols));
}
