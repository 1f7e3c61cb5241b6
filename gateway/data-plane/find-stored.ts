import type { Offer } from '../catalog/catalog.ts';
import type { Refusal } from '../platform/errors/refusal.ts';
import type { ParsedRequest } from '../protocols/protocol.ts';
import { servedRoutes } from './routing/served-routes.ts';
import type { StoredRoute } from './routing/stored-route.ts';
import type { Passage } from './request-path.ts';

/** A request that may go on from a stored reply. */
interface Continuing {
  readonly request: Pick<ParsedRequest, 'previousReply'>;
  readonly offer: Offer;
  readonly accountId: string;
}

/**
 * Finds the only place that can serve a request which goes on from a stored reply; null for any
 * other request. Never another account's reply, and never another upstream account: it would
 * answer without what was said before.
 */
export function findStored(
  { request, offer, accountId }: Continuing,
  { endpoint, context }: Pick<Passage, 'endpoint' | 'context'>,
): StoredRoute | Refusal | null {
  const { previousReply } = request;
  const { stored } = endpoint.protocol;
  if (previousReply === undefined || stored === undefined) return null;
  const ids = context.storedReplyIds;
  const found = ids.find(accountId, previousReply);
  if (found === undefined) return stored.refusePrevious(previousReply, 'unknown');
  const route = servedRoutes(offer, endpoint).find(({ channel, codec }) => {
    const speaks = codec.upstreamProtocol === endpoint.protocol.id;
    return speaks && channel.id === found.channelId && channel.storesResponses;
  });
  const credential = route && ids.credentialOf(found, route.channel);
  if (route === undefined || credential === undefined) {
    return stored.refusePrevious(previousReply, 'gone');
  }
  const notFound = stored.refusePrevious(previousReply, 'unknown');
  return { route, credential, upstreamId: found.upstreamId, notFound };
}
