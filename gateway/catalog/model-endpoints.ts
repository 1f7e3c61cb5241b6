import { ENDPOINTS, type ServedEndpoint } from '../protocols/registry.ts';
import { channelCodecs, type ChannelWay } from './channel-codecs.ts';
import { embeds } from './embeds.ts';

/**
 * Returns the endpoints at which a model can be asked for what it makes, over any of its channels.
 * The price list and the refusals of other endpoints both say so.
 */
export function modelEndpoints(
  publicId: string,
  channels: readonly ChannelWay[],
): readonly ServedEndpoint[] {
  const operation = embeds(publicId) ? 'embed' : 'generate';
  return ENDPOINTS.filter(
    (endpoint) =>
      endpoint.operation === operation &&
      channels.some((channel) => channelCodecs(channel, endpoint).length > 0),
  );
}
