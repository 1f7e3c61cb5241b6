import type { Offer } from '../../catalog/catalog.ts';
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { ParsedRequest } from '../../protocols/protocol.ts';
import type { StoredReference, StoredReplies } from '../../protocols/stored-replies.ts';
import type { ModelEndpoint } from '../../protocols/endpoint.ts';
import type { ServedEndpoint } from '../../protocols/registry.ts';
import { servedRoutes, type ServedRoute } from '../routing/served-routes.ts';
import type { StoredRoute } from '../routing/stored-route.ts';
import type { ActiveRequest } from '../request-path.ts';
import type { StoredIds } from './stored-ids.ts';

/** A request that may refer to what is stored. */
interface Referring {
  readonly request: Pick<ParsedRequest, 'refersTo'>;
  readonly offer: Offer;
  readonly accountId: string;
}

interface FoundPlace {
  readonly route: ServedRoute;
  readonly credential: string | null;
}

/** The inputs of the search for a reference. */
interface Search {
  readonly accountId: string;
  readonly ids: StoredIds;
  readonly stored: StoredReplies;
  readonly routes: readonly ServedRoute[];
  /** The place at which the earlier references are stored. */
  readonly place: FoundPlace | undefined;
}

/**
 * Finds the only place that can serve a request which refers to something stored; null for any
 * other request. Never what is another account's, and never another upstream account: it would
 * answer without what was said before.
 */
export function findStored(
  { request, offer, accountId }: Referring,
  { endpoint, context }: Pick<ActiveRequest<ModelEndpoint>, 'endpoint' | 'context'>,
): StoredRoute | Refusal | null {
  const { refersTo = [] } = request;
  const { stored } = endpoint.protocol;
  if (stored === undefined) return null;
  const { storedIds: ids } = context;
  const routes = storingRoutes(offer, endpoint);
  const upstreamIds = new Map<StoredReference['kind'], string>();
  const items = new Set<string>();
  let place: FoundPlace | undefined;
  let decisive: StoredReference | undefined;
  for (const reference of refersTo) {
    const found = findReference(reference, { accountId, ids, stored, routes, place });
    if (isRefusal(found)) {
      if (reference.optional) continue;
      return found;
    }
    const { upstreamId, ...where } = found;
    if (reference.kind === 'item') items.add(reference.clientId);
    else upstreamIds.set(reference.kind, upstreamId);
    place ??= where;
    decisive ??= reference;
  }
  if (place === undefined || decisive === undefined) return null;
  const [reply, conversation] = [upstreamIds.get('reply'), upstreamIds.get('conversation')];
  const notFound = stored.refuseReference(decisive, 'unknown');
  return { ...place, things: { reply, conversation, items }, notFound };
}

/** The routes of an offer at which something may be stored. */
export function storingRoutes(
  offer: Offer,
  endpoint: ServedEndpoint<ModelEndpoint>,
): readonly ServedRoute[] {
  return servedRoutes(offer, endpoint).filter(
    ({ channel, codec }) =>
      channel.storesResponses && codec.upstreamProtocol === endpoint.protocol.id,
  );
}

function findReference(
  reference: StoredReference,
  search: Search,
): (FoundPlace & { readonly upstreamId: string }) | Refusal {
  const { clientId, kind } = reference;
  const { accountId, ids, stored, routes } = search;
  if (kind === 'item') {
    const place = findItem(clientId, search);
    return place === undefined
      ? stored.refuseReference(reference, 'unknown')
      : { ...place, upstreamId: '' };
  }
  const found = ids.find({ kind, accountId, clientId }, stored);
  if (found === undefined) return stored.refuseReference(reference, 'unknown');
  const route = routes.find(({ channel }) => channel.id === found.channelId);
  const credential = route && ids.credentialOf(found, route.channel);
  if (route === undefined || credential === undefined) {
    return stored.refuseReference(reference, 'gone');
  }
  return { route, credential, upstreamId: found.upstreamId };
}

/** The id of an item says whether it is from a place, and not from which. */
function findItem(clientId: string, search: Search): FoundPlace | undefined {
  const { accountId, ids, routes, place } = search;
  const places = place === undefined ? routes.flatMap(placesOf) : [place];
  return places.find(({ route: { channel }, credential }) =>
    ids.hasItem({ accountId, channel, credential }, clientId),
  );
}

function placesOf(route: ServedRoute): FoundPlace[] {
  const { credentials } = route.channel;
  const candidates = credentials.length === 0 ? [null] : credentials;
  return candidates.map((credential) => ({ route, credential }));
}
