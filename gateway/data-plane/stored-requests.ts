import type { ChannelEntry } from '../catalog/snapshot.ts';
import { refuseProtocol } from '../catalog/refuse-protocol.ts';
import { isRefusal, refuse, type Refusal } from '../platform/errors/refusal.ts';
import type { StoredReplies } from '../protocols/protocol.ts';
import { protocolOf } from '../protocols/registry.ts';
import { providerOf } from '../providers/registry.ts';
import { UPSTREAM_FAILED, verdictOn } from '../providers/verdict.ts';
import type { Principal } from './authentication/principal.ts';
import { placeForConversation } from './place-for-conversation.ts';
import type { Exchange } from './http/exchange.ts';
import { bareId } from '../platform/secrets/signed-id.ts';
import { readReply } from './relay/read-reply.ts';
import { replyHeaders } from './reply-refusal.ts';
import type { RequestTrace } from './request-trace.ts';
import type { Place, StoredKind } from './stored-ids.ts';
import { authenticate, identifyCaller, receiveBody, takeBody } from './take-in.ts';
import type { ThreadContext } from './thread-context.ts';

/** What may be done with what is stored. */
export type StoredAction = keyof typeof STEPS;

/** Something stored, by the path on which a client asks for it. */
export interface StoredPath {
  readonly kind: StoredKind;
  /** '' of a conversation that is to be made. */
  readonly clientId: string;
  readonly action: StoredAction;
  /** As the client names it; '' but for an item of a conversation. */
  readonly itemId: string;
}

const STEPS = {
  read: { method: 'GET', behind: '' },
  delete: { method: 'DELETE', behind: '' },
  cancel: { method: 'POST', behind: '/cancel' },
  list_input: { method: 'GET', behind: '/input_items' },
  create: { method: 'POST', behind: '', sends: true },
  update: { method: 'POST', behind: '', sends: true },
  list_items: { method: 'GET', behind: '/items' },
  add_items: { method: 'POST', behind: '/items', sends: true },
  read_item: { method: 'GET', behind: '/items' },
  delete_item: { method: 'DELETE', behind: '/items' },
} as const satisfies Record<string, StoredStep>;

interface StoredStep {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Behind the path of what is stored. */
  readonly behind: string;
  /** The client sends a body. */
  readonly sends?: boolean;
}

/** The protocol whose replies are stored. */
export const STORED_PROTOCOL = 'openai-responses';
/** An upstream has the reply already: later than this it does not answer. */
const STORED_MS_MAX = 30_000;
/** Of one thread. They are free, and each keeps a connection to an upstream. */
const UNDER_WAY_MAX = 64;
/** Fields of a query that an upstream gets. */
const QUERY_FIELDS: ReadonlySet<string> = new Set([
  'include',
  'include[]',
  'limit',
  'order',
  'after',
  'before',
]);

/** Of this thread. */
let underWay = 0;

interface StoredRequest {
  readonly trace: RequestTrace;
  readonly stored: StoredPath;
}

/**
 * Reads, changes or deletes what an upstream stores for the caller's account, or makes a
 * conversation. It is free: no upstream generates anything.
 */
export async function serveStored(
  exchange: Exchange,
  context: ThreadContext,
  { trace, stored: asked }: StoredRequest,
): Promise<Refusal | undefined> {
  const { stored } = protocolOf(STORED_PROTOCOL);
  if (stored === undefined) throw new Error(`${STORED_PROTOCOL} stores nothing`);
  // The head is gone behind the first await.
  const query = queryOf(exchange.query());
  if (typeof query !== 'string') return query;
  const caller = identifyCaller(exchange, context);
  if (isRefusal(caller)) return caller;
  const step: StoredStep = STEPS[asked.action];
  const received = step.sends === true ? receiveBody(exchange, context, caller) : undefined;
  const principal = await authenticate(caller, { exchange, context, trace });
  if (isRefusal(principal)) return principal;
  const foreign = refuseGroup(principal, context);
  if (foreign !== undefined) return foreign;
  const bytes = received && (await takeBody(received, context, true));
  if (bytes !== undefined && isRefusal(bytes)) return bytes;
  const body = bytes && stored.encodeConversation(bytes, context.requestLimits);
  if (body !== undefined && isRefusal(body)) return body;
  const place = placeOf(principal, context, { asked, stored });
  if (isRefusal(place)) return place;
  if (underWay >= UNDER_WAY_MAX) return refuse('overloaded');
  underWay += 1;
  try {
    const reply = await ask(place, { asked, body, query, stored, context });
    if (isRefusal(reply)) return reply;
    const { publicModel } = place;
    const { fieldPolicy } = place.channel;
    const ids = context.storedIds.idsAt(place, publicModel);
    const renamed =
      asked.kind === 'reply'
        ? stored.rename(reply, { clientId: asked.clientId, publicModel, ids, fieldPolicy })
        : stored.renameConversation(reply, ids, fieldPolicy);
    if (renamed === undefined) return UPSTREAM_FAILED;
    trace.httpStatus = 200;
    exchange.reply(200, replyHeaders(trace.requestId), renamed);
    return undefined;
  } finally {
    underWay -= 1;
  }
}

interface AskedFor {
  readonly asked: StoredPath;
  readonly stored: StoredReplies;
}

/** Where the thing is, or where a conversation is to be made. */
function placeOf(
  principal: Principal,
  context: ThreadContext,
  { asked: { kind, clientId, action }, stored }: AskedFor,
): StoredPlace | Refusal {
  const { accountId } = principal;
  if (action === 'create') {
    const place = placeForConversation(principal, context);
    if (place === undefined) return stored.refuseConversations();
    return isRefusal(place) ? place : { ...place, accountId, publicModel: '', upstreamId: '' };
  }
  const found = context.storedIds.find(kind, accountId, clientId);
  const channel = found && context.state.catalog.channel(found.channelId);
  const credential = channel && context.storedIds.credentialOf(found, channel);
  if (!found || channel?.storesResponses !== true || credential === undefined) {
    return stored.refuseUnknown(kind, clientId);
  }
  const { publicModel, upstreamId } = found;
  return { accountId, channel, credential, publicModel, upstreamId };
}

/** Refuses a key whose group does not serve the protocol. */
function refuseGroup({ groupId }: Principal, context: ThreadContext): Refusal | undefined {
  const { catalog } = context.state;
  return refuseProtocol(catalog, { groupId, protocol: STORED_PROTOCOL, model: null });
}

/** What of a query goes to the upstream. */
function queryOf(text: string): string | Refusal {
  const asked = new URLSearchParams(text);
  if (asked.get('stream') === 'true') {
    const message = 'Stored responses come whole: leave "stream" out.';
    return refuse('unsupported_parameter', message, { param: 'stream' });
  }
  const sent = new URLSearchParams(
    [...asked]
      .filter(([name]) => QUERY_FIELDS.has(name))
      .map(([name, value]): [string, string] => [name, bareId(value)]),
  );
  return sent.size === 0 ? '' : `?${sent.toString()}`;
}

interface StoredPlace extends Place {
  readonly channel: ChannelEntry;
  readonly publicModel: string;
  readonly upstreamId: string;
}

interface Asked extends AskedFor {
  readonly body: Buffer | undefined;
  readonly query: string;
  readonly context: ThreadContext;
}

async function ask(
  place: StoredPlace,
  { asked, body, query, stored, context }: Asked,
): Promise<Buffer | Refusal> {
  const { channel, credential } = place;
  const provider = providerOf(channel.kind);
  const headers = credential === null ? [] : provider.credentialHeaders(credential);
  const { method } = STEPS[asked.action];
  const path = `${pathOf(place, asked)}${query}`;
  const sent = body === undefined ? {} : { body };
  const call = context.upstreams.send(channel, { method, path, headers, ...sent, stream: false });
  const deadline = setTimeout(() => {
    call.abort({ failed: 'total_timeout', detail: 'a stored reply has taken too long' });
  }, STORED_MS_MAX);
  try {
    const head = await call.head;
    if ('failed' in head) return verdictOn(head, provider).refusal;
    const body = await readReply(call, context.config.replyBodyBytesMax);
    if (!Buffer.isBuffer(body)) {
      call.abort(body);
      return verdictOn(body, provider).refusal;
    }
    if (head.status >= 200 && head.status < 300) return body;
    if (head.status === 404) return stored.refuseUnknown(asked.kind, asked.clientId);
    return provider.classifyError(head.status, head.retryAfterMs, body).refusal;
  } finally {
    clearTimeout(deadline);
  }
}

function pathOf(
  { channel, upstreamId }: StoredPlace,
  { kind, action, itemId }: StoredPath,
): string {
  const replies = providerOf(channel.kind).path(STORED_PROTOCOL, 'generate', '', channel.baseUrl);
  const base = kind === 'reply' ? replies : replies.replace(/responses$/, 'conversations');
  const segments = [upstreamId, bareId(itemId)].map((id) =>
    id === '' ? '' : `/${encodeURIComponent(id)}`,
  );
  return base + segments.join(STEPS[action].behind);
}
