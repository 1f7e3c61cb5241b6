import type { Codec } from '../protocols/protocol.ts';
import { codecFor, type ServedEndpoint } from '../protocols/registry.ts';
import { providerOf } from '../providers/registry.ts';
import { spokenProtocols } from '../providers/spoken-protocols.ts';
import type { ChannelEntry } from './snapshot.ts';

/** The way of a channel to its upstream, as far as it decides what can be asked there. */
export type ChannelWay = Pick<ChannelEntry, 'kind' | 'protocols'>;

/** The codec between an endpoint and a channel; undefined when the channel can never serve it. */
export function channelCodec(
  { kind, protocols }: ChannelWay,
  endpoint: Pick<ServedEndpoint, 'protocol' | 'operation'>,
): Codec | undefined {
  return codecFor(endpoint, spokenProtocols(providerOf(kind), protocols));
}
