import type { Offer } from '../../catalog/catalog.ts';
import { refuseEndpoint } from '../../catalog/refuse-endpoint.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { isJsonObject } from '../../platform/json/json-value.ts';
import { errorBody } from '../../providers/error-body.ts';
import { namedStatus } from '../../providers/named-status.ts';
import type { Verdict } from '../../providers/verdict.ts';
import type { ServedEndpoint } from '../../protocols/registry.ts';
import { servedRoutes, type ServedRoute } from './served-routes.ts';

const NO_COMPACTION = refuse(
  'unknown_url',
  'No upstream of this model compacts conversations. Ask for a summary at /v1/responses instead, or use another model.',
  { param: 'model' },
);

/** Another channel may have it; this one serves all else as before. */
const LACKS_COMPACTION: Verdict = {
  health: 'unknown',
  failover: true,
  scope: 'request',
  refusal: NO_COMPACTION,
};

/**
 * Refuses what no channel of a model can ever do, before anything is held for it. Undefined where a
 * channel can, even if it is away now, and where the model has no channel.
 */
export function refuseOperation(offer: Offer, endpoint: ServedEndpoint): Refusal | undefined {
  if (offer.routes.length === 0 || servedRoutes(offer, endpoint).length > 0) return undefined;
  return endpoint.operation === 'compact' ? NO_COMPACTION : refuseEndpoint(offer, endpoint.path);
}

/** What a server says to a path, or a method, that it does not have. */
const LACKING: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Judges the error of an upstream that does not have the operation: not every one that serves
 * Responses compacts. It says nothing about the model there.
 */
export function lacksOperation(
  { operation }: Pick<ServedRoute, 'operation'>,
  status: number,
  body: Buffer,
): Verdict | undefined {
  if (operation !== 'compact' || !LACKING.has(status)) return undefined;
  const { error } = errorBody(body);
  const isModel = isJsonObject(error) && namedStatus(error) === 404;
  return isModel ? undefined : LACKS_COMPACTION;
}
