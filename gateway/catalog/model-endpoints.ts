import type { Operation } from '../protocols/endpoint.ts';
import { ENDPOINTS, type ServedEndpoint } from '../protocols/registry.ts';
import { channelCodecs, type ModelWay } from './channel-codecs.ts';
import { embeds } from './embeds.ts';
import { transcribes } from './transcribes.ts';

/**
 * Returns the endpoints at which a model can be asked for what it makes, over any of its routes.
 * The price list and the refusals of other endpoints both say so.
 */
export function modelEndpoints(
  publicId: string,
  routes: readonly ModelWay[],
): readonly ServedEndpoint[] {
  const operations = operationsOf(publicId);
  return ENDPOINTS.filter(
    (endpoint) =>
      'creates' in endpoint &&
      operations.includes(endpoint.operation) &&
      endpoint.cloud === undefined &&
      routes.some((route) => channelCodecs(route, endpoint).length > 0),
  );
}

function operationsOf(publicId: string): readonly Operation[] {
  if (embeds(publicId)) return ['embed'];
  return transcribes(publicId) ? ['transcribe', 'translate'] : ['generate'];
}
