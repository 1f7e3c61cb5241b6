/**
 * The way out: every call of an upstream is sent here with the credential of its channel. `Attempt`
 * relays the result of `callUpstream`; all others ask for whole replies.
 */
import type { UpstreamFailure } from '../platform/errors/upstream-failure.ts';
import type { Provider } from '../providers/provider.ts';
import { readReply } from './relay/read-reply.ts';
import type { ThreadContext } from './thread-context.ts';
import type { UpstreamCall } from './upstream/upstream-call.ts';
import type { UpstreamHead } from './upstream/upstream-head.ts';
import { Handshake, UpstreamSocket } from './upstream/upstream-socket.ts';
import type { UpstreamPlace, UpstreamPools, UpstreamRequest } from './upstream/upstream-pools.ts';

/** The upstream to call, and the credential to call it with. */
export interface UpstreamAccess {
  readonly channel: UpstreamPlace;
  readonly provider: Pick<Provider, 'credentialHeaders' | 'sign' | 'streamType' | 'refusesSecret'>;
  readonly credential: string | null;
}

/** A request whose reply is read as a whole. */
export interface Question extends UpstreamRequest {
  /** For the whole reply. */
  readonly timeoutMs: number;
  readonly replyBytesMax: number;
}

/** A whole reply, whatever its status. */
export interface WholeReply extends UpstreamHead {
  readonly body: Buffer;
}

/** Sends a request with the channel's credential. */
export function callUpstream(
  upstreams: UpstreamPools,
  { channel, provider, credential }: UpstreamAccess,
  request: UpstreamRequest,
): UpstreamCall {
  const accept = request.stream ? provider.streamType?.(channel.baseUrl) : undefined;
  const sent = accept === undefined ? request : { ...request, accept };
  if (credential === null) return upstreams.send(channel, sent);
  const unsigned = provider.sign === undefined ? undefined : upstreams.unsigned(channel, sent);
  const signature = unsigned && provider.sign?.(credential, unsigned);
  const headers = [...(signature ?? provider.credentialHeaders(credential)), ...request.headers];
  return upstreams.send(channel, { ...sent, headers });
}

/**
 * Reads a body to its end. One that breaks off or is too large ends the call: a body without an end
 * would keep its connection for good.
 */
export async function readBody(
  call: UpstreamCall,
  bytesMax: number,
): Promise<Buffer | UpstreamFailure> {
  const body = await readReply(call, bytesMax);
  if (!Buffer.isBuffer(body)) call.abort(body);
  return body;
}

const UNAUTHENTICATED = 401;

/**
 * Reports whether an upstream has refused the secret that it was sent: another may have been minted
 * meanwhile, or can be.
 */
export function isSecretRefused(
  { refusesSecret }: UpstreamAccess['provider'],
  { status, errorType }: Pick<UpstreamHead, 'status' | 'errorType'>,
): boolean {
  return status === UNAUTHENTICATED || (errorType !== '' && refusesSecret?.(errorType) === true);
}

/**
 * The same for a credential of the catalog, which may have to be exchanged for a secret first. A
 * secret that is refused is replaced once.
 */
export async function askWithCredential(
  { upstreams, minted }: Pick<ThreadContext, 'upstreams' | 'minted'>,
  access: UpstreamAccess,
  question: Question,
): Promise<WholeReply | UpstreamFailure> {
  const secret = await minted.secretOf(access.credential);
  if (secret !== null && typeof secret !== 'string') return secret;
  const reply = await askUpstream(upstreams, { ...access, credential: secret }, question);
  const isMinted = secret !== null && secret !== access.credential;
  if ('failed' in reply || !isMinted || !isSecretRefused(access.provider, reply)) return reply;
  const other = await minted.replace(access.credential ?? '', secret);
  if (other === undefined) return reply;
  return askUpstream(upstreams, { ...access, credential: other }, question);
}

/** Sends a request and reads the whole reply, or returns why there is none. */
export async function askUpstream(
  upstreams: UpstreamPools,
  access: UpstreamAccess,
  { timeoutMs, replyBytesMax, ...request }: Question,
): Promise<WholeReply | UpstreamFailure> {
  const call = callUpstream(upstreams, access, request);
  const deadline = setTimeout(() => {
    call.abort({ failed: 'total_timeout', detail: `No answer within ${timeoutMs} ms.` });
  }, timeoutMs);
  try {
    const head = await call.head;
    if ('failed' in head) return head;
    const body = await readBody(call, replyBytesMax);
    return Buffer.isBuffer(body) ? { ...head, body } : body;
  } finally {
    clearTimeout(deadline);
  }
}

/** A WebSocket to an upstream, or the reply that refuses one. */
export type SocketReply = { readonly socket: UpstreamSocket } | WholeReply | UpstreamFailure;

/** A request for a WebSocket. */
export interface SocketQuestion extends Pick<UpstreamRequest, 'path' | 'headers'> {
  /** The longest message of the upstream. */
  readonly messageBytesMax: number;
  /** An error is read this far. */
  readonly errorBytesMax: number;
}

/** Opens a WebSocket with a credential of the catalog; a refused secret is replaced once. */
export async function openUpstreamSocket(
  context: Pick<ThreadContext, 'upstreams' | 'minted'>,
  access: UpstreamAccess,
  question: SocketQuestion,
): Promise<SocketReply> {
  const { minted } = context;
  const secret = await minted.secretOf(access.credential);
  if (secret !== null && typeof secret !== 'string') return secret;
  const reply = await askForSocket(context, { ...access, credential: secret }, question);
  const isMinted = secret !== null && secret !== access.credential;
  if (!isMinted || !('status' in reply) || !isSecretRefused(access.provider, reply)) return reply;
  const other = await minted.replace(access.credential ?? '', secret);
  if (other === undefined) return reply;
  return askForSocket(context, { ...access, credential: other }, question);
}

async function askForSocket(
  { upstreams }: Pick<ThreadContext, 'upstreams'>,
  access: UpstreamAccess,
  { path, headers, messageBytesMax, errorBytesMax }: SocketQuestion,
): Promise<SocketReply> {
  const handshake = new Handshake();
  const call = callUpstream(upstreams, access, {
    method: 'GET',
    path,
    headers: [...handshake.headers, ...headers],
    stream: true,
    upgrade: true,
  });
  const head = await call.head;
  if ('failed' in head) return head;
  const { upgraded } = call;
  if (upgraded !== undefined) {
    if (handshake.accepts(upgraded.headers)) {
      return { socket: new UpstreamSocket(upgraded.connection, messageBytesMax) };
    }
    upgraded.connection.destroy();
    return { failed: 'bad_reply', detail: 'the upstream has not accepted the WebSocket’s key' };
  }
  const body = await readBody(call, errorBytesMax);
  return { ...head, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
}
