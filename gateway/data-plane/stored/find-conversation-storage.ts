import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { ChannelEntry } from '../../catalog/snapshot.ts';
import { ENDPOINTS } from '../../protocols/registry.ts';
import type { Principal } from '../authentication/principal.ts';
import { storingRoutes } from './find-stored.ts';
import { nextCredential } from '../routing/next-credential.ts';
import { nextRoute } from '../routing/next-route.ts';
import type { ThreadContext } from '../thread-context.ts';

const REPLYING = ENDPOINTS.flatMap((endpoint) =>
  endpoint.operation === 'generate' && endpoint.protocol.stored !== undefined ? [endpoint] : [],
);

/**
 * Chooses the channel and credential at which a conversation is made: of the channels of the
 * highest priority one by weight and by how many of the caller's models it serves. Undefined when
 * no channel stores any for these models.
 */
export function findConversationStorage(
  principal: Pick<Principal, 'accountId' | 'groupId' | 'allowsModel'>,
  { state: { catalog }, health }: Pick<ThreadContext, 'state' | 'health'>,
): { readonly channel: ChannelEntry; readonly credential: string | null } | Refusal | undefined {
  const { accountId, groupId } = principal;
  const routes = catalog.models(groupId).flatMap(({ publicId }) => {
    const offer = catalog.offer(groupId, publicId);
    const isOpen = !('missing' in offer) && offer.group.active && principal.allowsModel(publicId);
    return isOpen ? REPLYING.flatMap((endpoint) => storingRoutes(offer, endpoint)) : [];
  });
  if (routes.length === 0) return undefined;
  const choice = { health, accountId, tried: [], conversation: null };
  const route = nextRoute(
    routes.toSorted((one, other) => other.channel.priority - one.channel.priority),
    choice,
  );
  if (route === undefined) return refuse('no_channel_available');
  return { channel: route.channel, credential: nextCredential(route, choice) };
}
