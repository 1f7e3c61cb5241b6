import type { ChannelEntry } from '../catalog/snapshot.ts';
import { refuseProtocol } from '../catalog/refuse-protocol.ts';
import { isRefusal, refuse, type Refusal } from '../platform/errors/refusal.ts';
import type { StoredReplies } from '../protocols/protocol.ts';
import { protocolOf } from '../protocols/registry.ts';
import { providerOf } from '../providers/registry.ts';
import { UPSTREAM_FAILED, verdictOn } from '../providers/verdict.ts';
import { clientAddress } from './authentication/client-address.ts';
import { readCredential } from './authentication/credential.ts';
import type { Principal } from './authentication/principal.ts';
import { refuseAddress } from './authentication/refuse-address.ts';
import type { Exchange } from './http/exchange.ts';
import { readReply } from './relay/read-reply.ts';
import { replyHeaders } from './reply-refusal.ts';
import type { RequestTrace } from './request-trace.ts';
import type { StoredReply } from './stored-reply-ids.ts';
import type { ThreadContext } from './thread-context.ts';

/** What may be done with a stored reply. */
export type StoredAction = 'read' | 'delete' | 'cancel' | 'list_items';

const STEPS = {
  read: { method: 'GET', behind: '' },
  delete: { method: 'DELETE', behind: '' },
  cancel: { method: 'POST', behind: '/cancel' },
  list_items: { method: 'GET', behind: '/input_items' },
} as const satisfies Record<StoredAction, object>;

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
  readonly stored: { readonly clientId: string; readonly action: StoredAction };
}

/**
 * Reads, cancels or deletes a stored reply of the caller's account, or lists what it answered. It
 * is free: no upstream generates anything.
 */
export async function serveStored(
  exchange: Exchange,
  context: ThreadContext,
  { trace, stored: { clientId, action } }: StoredRequest,
): Promise<Refusal | undefined> {
  const { stored } = protocolOf(STORED_PROTOCOL);
  if (stored === undefined) throw new Error(`${STORED_PROTOCOL} stores no replies`);
  // The head is gone behind the first await.
  const query = queryOf(exchange.query());
  if (typeof query !== 'string') return query;
  const principal = await callerOf(exchange, context, trace);
  if (isRefusal(principal)) return principal;
  const { accountId } = principal;
  const found = context.storedReplyIds.find(accountId, clientId);
  const channel = found && context.state.catalog.channel(found.channelId);
  if (found === undefined || channel?.storesResponses !== true)
    return stored.refuseUnknown(clientId);
  const credential = context.storedReplyIds.credentialOf(found, channel);
  if (credential === undefined) return stored.refuseUnknown(clientId);
  if (underWay >= UNDER_WAY_MAX) return refuse('overloaded');
  underWay += 1;
  try {
    const place = { found, channel, credential };
    const body = await ask(place, { action, query, clientId, stored, context });
    if (isRefusal(body)) return body;
    const ids = context.storedReplyIds.idsBeside(found, { accountId, channel, credential });
    const { publicModel } = found;
    const renamed = stored.rename(body, { clientId, publicModel, ids });
    if (renamed === undefined) return UPSTREAM_FAILED;
    trace.httpStatus = 200;
    exchange.reply(200, replyHeaders(trace.requestId), renamed);
    return undefined;
  } finally {
    underWay -= 1;
  }
}

async function callerOf(
  exchange: Exchange,
  context: ThreadContext,
  trace: RequestTrace,
): Promise<Principal | Refusal> {
  const credential = readCredential(exchange);
  if (isRefusal(credential)) return credential;
  const { trustedProxyHops } = context.config;
  const forwardedFor = trustedProxyHops > 0 ? exchange.headerList('x-forwarded-for') : '';
  const principal = await context.principals.find(credential.key);
  if (isRefusal(principal)) return principal;
  trace.principal = principal;
  if (principal.limitsAddresses) {
    const address = clientAddress(exchange.remoteAddress(), forwardedFor, trustedProxyHops);
    if (!principal.allowsAddress(address)) return refuseAddress(address);
  }
  const { groupId } = principal;
  const foreign = refuseProtocol(context.state.catalog, {
    groupId,
    protocol: STORED_PROTOCOL,
    model: null,
  });
  return foreign ?? principal;
}

/** What of a query goes to the upstream. */
function queryOf(text: string): string | Refusal {
  const asked = new URLSearchParams(text);
  if (asked.get('stream') === 'true') {
    const message = 'Stored responses come whole: leave "stream" out.';
    return refuse('unsupported_parameter', message, { param: 'stream' });
  }
  const sent = new URLSearchParams([...asked].filter(([name]) => QUERY_FIELDS.has(name)));
  return sent.size === 0 ? '' : `?${sent.toString()}`;
}

interface StoredPlace {
  readonly found: StoredReply;
  readonly channel: ChannelEntry;
  readonly credential: string | null;
}

interface Asked {
  readonly action: StoredAction;
  readonly query: string;
  readonly clientId: string;
  readonly stored: StoredReplies;
  readonly context: ThreadContext;
}

async function ask(
  { found, channel, credential }: StoredPlace,
  { action, query, clientId, stored, context }: Asked,
): Promise<Buffer | Refusal> {
  const provider = providerOf(channel.kind);
  const { method, behind } = STEPS[action];
  const base = provider.path(STORED_PROTOCOL, 'generate', '', channel.baseUrl);
  const path = `${base}/${encodeURIComponent(found.upstreamId)}${behind}${query}`;
  const headers = credential === null ? [] : provider.credentialHeaders(credential);
  const call = context.upstreams.send(channel, { method, path, headers, stream: false });
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
    if (head.status === 404) return stored.refuseUnknown(clientId);
    return provider.classifyError(head.status, head.retryAfterMs, body).refusal;
  } finally {
    clearTimeout(deadline);
  }
}
