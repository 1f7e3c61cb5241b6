import { ENDPOINTS, type ServedEndpoint } from '../protocols/registry.ts';
import { channelCodecs, type ModelWay } from './channel-codecs.ts';
import { embeds } from './embeds.ts';

/**
 * Returns the endpoints at which a model can be asked for what it makes, over any of its routes.
 * The price list and the refusals of other endpoints both say so.
 */
export function modelEndpoints(
  publicId: string,
  routes: readonly ModelWay[],
): readonly ServedEndpoint[] {
  const operation = embeds(publicId) ? 'embed' : 'generate';
  return ENDPOINTS.filter(
    (endpoint) =>
      endpoint.operation === operation &&
      endpoint.cloud === undefined &&
      routes.some((route) => channelCodecs(route, endpoint).length > 0),
  );
}
