import type { Codec } from '../protocols/protocol.ts';
import { codecsFor, type ServedEndpoint } from '../protocols/registry.ts';
import { providerOf } from '../providers/registry.ts';
import { spokenProtocols } from '../providers/spoken-protocols.ts';
import type { Route } from './catalog.ts';
import type { ChannelEntry } from './snapshot.ts';

/** The way to a model at an upstream, as far as it decides what can be asked there. */
export interface ModelWay extends Pick<Route, 'upstreamModel' | 'publicId'> {
  readonly channel: Pick<ChannelEntry, 'kind' | 'baseUrl' | 'protocols'>;
}

/** Returns the codecs between an endpoint and a model's way, the best first; none: never served. */
export function channelCodecs(
  { channel: { kind, baseUrl, protocols }, upstreamModel, publicId }: ModelWay,
  endpoint: Pick<ServedEndpoint, 'protocol' | 'operation'>,
): readonly Codec[] {
  return codecsFor(
    endpoint,
    spokenProtocols(providerOf(kind), protocols, { upstreamModel, publicId, baseUrl }),
  );
}
