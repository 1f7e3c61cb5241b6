import type { Offer } from '../../catalog/catalog.ts';
import { modelEndpoints } from '../../catalog/model-endpoints.ts';
import { serves } from '../../catalog/refuse-group.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { isJsonObject } from '../../platform/json/json-value.ts';
import { errorBody } from '../../providers/error-body.ts';
import { namedStatus } from '../../providers/named-status.ts';
import { ofRequest, type Verdict } from '../../providers/verdict.ts';
import type { ModelEndpoint } from '../../protocols/endpoint.ts';
import type { ServedEndpoint } from '../../protocols/registry.ts';
import { servedRoutes, type ServedRoute } from './served-routes.ts';

/**
 * Refuses what no channel of a model can ever do, before anything is held for it. Undefined where a
 * channel can, even if it is away now, and where the model has no channel.
 */
export function refuseOperation(
  offer: Offer,
  endpoint: ServedEndpoint<ModelEndpoint>,
): Refusal | undefined {
  if (offer.routes.length === 0 || servedRoutes(offer, endpoint).length > 0) return undefined;
  return endpoint.unserved ?? refuseEndpoint(offer, endpoint.path);
}

/**
 * Refuses a request for a model at an endpoint that none of its channels can ever serve, and names
 * the paths at which they can. Sent again it would fail again, so it is no fault of an upstream.
 * @param asked the path of the endpoint behind the base address
 */
function refuseEndpoint({ model, group, routes }: Offer, asked: string): Refusal {
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

/** Statuses of a server that does not have a path or method. */
const LACKING: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Judges the error of an upstream that does not have the operation: not every one that speaks the
 * protocol does. The error says nothing about the model; another channel may have the operation,
 * and this one keeps serving others.
 */
export function lacksOperation(
  { unserved }: Pick<ServedRoute, 'unserved'>,
  status: number,
  body: Buffer,
): Verdict | undefined {
  if (unserved === undefined || !LACKING.has(status)) return undefined;
  const { error } = errorBody(body);
  const isModel = isJsonObject(error) && namedStatus(error) === 404;
  return isModel ? undefined : { ...ofRequest(unserved), failover: true };
}
