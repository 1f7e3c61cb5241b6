import { refuse, type Refusal } from '../platform/errors/refusal.ts';
import type { Offer } from './catalog.ts';
import { modelEndpoints } from './model-endpoints.ts';
import { serves } from './refuse-protocol.ts';

/**
 * Refuses a request for a model at an endpoint that none of its channels can ever serve, and names
 * the paths at which they can. Sent again it would fail again, so it is no fault of an upstream.
 * @param asked the path of the endpoint behind the base address
 */
export function refuseEndpoint({ model, group, routes }: Offer, asked: string): Refusal {
  const { publicId } = model;
  const pathOf = (path: string): string => `/v1/${path.replace('{model}', publicId)}`;
  const paths = modelEndpoints(publicId, routes)
    .filter(({ protocol }) => serves(group, protocol.id))
    .map(({ path }) => pathOf(path));
  const remedy =
    paths.length === 0
      ? 'Nor can its channels serve it at another path: ask the operator, or use another model.'
      : `It is served at ${paths.join(', ')}. Call one of these, or use another model.`;
  return refuse(
    'unsupported_endpoint',
    `The model "${publicId}" is not served at ${pathOf(asked)}. ${remedy}`,
    { param: 'model' },
  );
}
