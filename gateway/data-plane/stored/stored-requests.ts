import { refuseProtocol } from '../../catalog/refuse-group.ts';
import type { ChannelEntry } from '../../catalog/snapshot.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { bareId } from '../../platform/secrets/signed-id.ts';
import type { StoredEndpoint } from '../../protocols/endpoint.ts';
import type { ServedEndpoint } from '../../protocols/registry.ts';
import type { StoredReplies } from '../../protocols/stored-replies.ts';
import type { Provider } from '../../providers/provider.ts';
import { providerOf } from '../../providers/registry.ts';
import { UPSTREAM_FAILED, verdictOn } from '../../providers/verdict.ts';
import { askWithCredential } from '../ask-upstream.ts';
import type { Outcome } from '../attempt-outcome.ts';
import type { Principal } from '../authentication/principal.ts';
import { findConversationStorage } from './find-conversation-storage.ts';
import { replyHeaders } from '../reply/reply-refusal.ts';
import type { ActiveRequest } from '../request-path.ts';
import type { ReplyStorage } from './stored-ids.ts';
import type { ThreadContext } from '../thread-context.ts';

/** An upstream has the reply already: later than this it does not answer. */
const STORED_MS_MAX = 30_000;
/**
 * The most requests under way in one thread. They are free, and each keeps a connection to an
 * upstream.
 */
const UNDER_WAY_MAX = 64;

/** The requests under way in this thread. */
let underWay = 0;

/** A client's request for something stored. */
interface StoredRequest {
  readonly endpoint: ServedEndpoint<StoredEndpoint>;
  readonly principal: Principal;
  /** Without its "?"; '' when there is none. */
  readonly query: string;
  /** Empty where the endpoint takes none. */
  readonly bytes: Buffer;
}

/**
 * Reads, changes or deletes what an upstream stores for the caller's account, or makes a
 * conversation. It is free: no upstream generates anything.
 */
export async function serveStored(
  { endpoint, principal, query, bytes }: StoredRequest,
  { exchange, ids, dialect, context, trace }: ActiveRequest,
): Promise<Pick<Outcome, 'send'> | Refusal> {
  const { protocol, kind, takesBody } = endpoint;
  const { stored } = protocol;
  if (stored === undefined) throw new Error(`${protocol.id} stores nothing`);

  // 2 parse
  const { catalog } = context.state;
  const foreign = refuseProtocol(catalog, { to: principal, protocol: protocol.id, model: null });
  if (foreign !== undefined) return foreign;
  const sentQuery = stored.encodeQuery(query);
  if (typeof sentQuery !== 'string') return sentQuery;
  const body = takesBody && stored.encodeBody(bytes, context.requestLimits);
  if (body !== undefined && isRefusal(body)) return body;

  // 4 route
  const [clientId = '', itemId = ''] = ids;
  const asked = { endpoint, stored, clientId };
  const storage = storageOf(asked, principal, context);
  if (isRefusal(storage)) return storage;

  // 5 send
  const path = pathOf(endpoint, storage, itemId) + sentQuery;
  const reply = await ask({ method: endpoint.method, path, body }, storage, context);
  if (reply === 'not_found') return stored.refuseUnknown(kind, clientId);
  if (isRefusal(reply)) return reply;

  // 6 relay
  const { channel, publicModel } = storage;
  const { fieldPolicy } = channel;
  const names = context.storedIds.idsAt(storage, publicModel, stored);
  const renamed = stored.rename(kind, reply, { clientId, publicModel, ids: names, fieldPolicy });
  if (renamed === undefined) return UPSTREAM_FAILED;
  return {
    send: () => {
      trace.httpStatus = 200;
      exchange.reply(200, replyHeaders(trace.requestId, dialect), renamed);
    },
  };
}

interface Asked {
  readonly endpoint: StoredEndpoint;
  readonly stored: StoredReplies;
  /** '' of what is to be made. */
  readonly clientId: string;
}

interface OwnedStorage extends ReplyStorage {
  readonly channel: ChannelEntry;
  readonly provider: Provider;
  /** The path of all that is stored there. */
  readonly path: string;
  readonly publicModel: string;
  readonly upstreamId: string;
}

/** Finds where the thing is, or where a conversation is to be made. */
function storageOf(
  { endpoint: { kind }, stored, clientId }: Asked,
  principal: Principal,
  context: ThreadContext,
): OwnedStorage | Refusal {
  const { accountId } = principal;
  if (clientId === '') {
    const storage = findConversationStorage(principal, context);
    if (storage === undefined) return stored.refuseConversations();
    if (isRefusal(storage)) return storage;
    const at = storeAt(storage.channel, kind);
    if (at === undefined) return stored.refuseConversations();
    return { ...storage, ...at, accountId, publicModel: '', upstreamId: '' };
  }
  const found = context.storedIds.find({ kind, accountId, clientId }, stored);
  const channel = found && context.state.catalog.channel(found.channelId);
  const credential = channel && context.storedIds.credentialOf(found, channel);
  const at = channel && storeAt(channel, kind);
  if (found === undefined || at === undefined || credential === undefined) {
    return stored.refuseUnknown(kind, clientId);
  }
  const { publicModel, upstreamId } = found;
  return { ...at, accountId, credential, publicModel, upstreamId };
}

type Store = Pick<OwnedStorage, 'channel' | 'provider' | 'path'>;

function storeAt(channel: ChannelEntry, kind: StoredEndpoint['kind']): Store | undefined {
  const provider = providerOf(channel.kind);
  const path = channel.storesResponses ? provider.storedPath?.(kind, channel.baseUrl) : undefined;
  return path === undefined ? undefined : { channel, provider, path };
}

/** The endpoint's path at the upstream, which has ids and a base address of its own. */
function pathOf({ path }: StoredEndpoint, storage: OwnedStorage, itemId: string): string {
  return path
    .replace(/^[^/]+/, () => storage.path)
    .replace('{id}', () => encodeURIComponent(storage.upstreamId))
    .replace('{item}', () => encodeURIComponent(bareId(itemId)));
}

interface Sent {
  readonly method: StoredEndpoint['method'];
  readonly path: string;
  readonly body: Buffer | undefined;
}

async function ask(
  { method, path, body }: Sent,
  storage: OwnedStorage,
  context: ThreadContext,
): Promise<Buffer | Refusal | 'not_found'> {
  if (underWay >= UNDER_WAY_MAX) return refuse('overloaded');
  underWay += 1;
  try {
    const { provider } = storage;
    const reply = await askWithCredential(context, storage, {
      method,
      path,
      headers: [],
      ...(body && { body }),
      stream: false,
      timeoutMs: STORED_MS_MAX,
      replyBytesMax: context.config.replyBodyBytesMax,
    });
    if ('failed' in reply) return verdictOn(reply, provider).refusal;
    const { status, retryAfterMs } = reply;
    if (status >= 200 && status < 300) return reply.body;
    if (status === 404) return 'not_found';
    return provider.classifyError(status, retryAfterMs, reply.body).refusal;
  } finally {
    underWay -= 1;
  }
}
