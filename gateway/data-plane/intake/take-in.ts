/**
 * The way in of every path that a client calls with a key: who calls, from where, and the body.
 */
import { refuseGroup } from '../../catalog/refuse-group.ts';
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import { keyPrefix } from '../../platform/secrets/api-key.ts';
import { clientAddress } from '../authentication/client-address.ts';
import { readCredential } from '../authentication/credential.ts';
import type { Principal } from '../authentication/principal.ts';
import { refuseAddress } from '../authentication/refuse-address.ts';
import { refuseMember } from '../authentication/refuse-member.ts';
import { isMultipart, readBoundary } from '../../platform/multipart/read-boundary.ts';
import { decodeBody } from '../http/body/content-coding.ts';
import { checkContentType, checkFormType } from '../http/body/content-type.ts';
import type { ReceivedForm } from '../http/body/incoming-form.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Endpoint } from '../../protocols/endpoint.ts';
import type { RequestTrace } from '../request-trace.ts';
import type { ThreadContext } from '../thread-context.ts';

/** A client whose key may be known, and what was read of its request before uWS takes it back. */
export interface Caller {
  readonly found: Principal | Promise<Principal | Refusal>;
  /** All lines of X-Forwarded-For; '' where no address is asked for. */
  readonly forwardedFor: string;
  /**
   * Shares one quota of memory for bodies: the account, or the prefix of a key that is still being
   * looked up.
   */
  readonly sender: string;
}

/**
 * Finds out who calls, as far as that needs no waiting: headers must be read before the handler's
 * first await. A refusal costs no memory for a body.
 */
export function identifyCaller(exchange: Exchange, context: ThreadContext): Caller | Refusal {
  const credential = readCredential(exchange);
  if (isRefusal(credential)) return credential;
  const found = context.principals.find(credential.key);
  if (isRefusal(found)) return found;
  // Where addresses are limited, or may be: all lines of the header are looked for.
  const asksAddress = found instanceof Promise || found.limitsAddresses;
  const proxied = context.config.trustedProxyHops > 0;
  return {
    found,
    forwardedFor: proxied && asksAddress ? exchange.headerList('x-forwarded-for') : '',
    sender: found instanceof Promise ? keyPrefix(credential.key) : found.accountId,
  };
}

interface Entrance {
  readonly exchange: Exchange;
  readonly context: ThreadContext;
  readonly trace: RequestTrace;
}

/**
 * Refuses an address that the key does not allow, a member who has left, and a group that its team
 * or account may not use. Returns a promise only while the key's principal is looked up.
 */
export function authenticate(
  caller: Caller,
  entrance: Entrance,
): Principal | Refusal | Promise<Principal | Refusal> {
  const { found } = caller;
  return found instanceof Promise
    ? found.then((principal) => checkPrincipal(principal, caller, entrance))
    : checkPrincipal(found, caller, entrance);
}

function checkPrincipal(
  principal: Principal | Refusal,
  { forwardedFor, sender }: Caller,
  { exchange, context, trace }: Entrance,
): Principal | Refusal {
  const addressOf = (): string =>
    clientAddress(exchange.remoteAddress(), forwardedFor, context.config.trustedProxyHops);
  if (isRefusal(principal)) {
    trace.unauthenticated = { address: addressOf(), keyPrefix: sender };
    return principal;
  }
  trace.principal = principal;
  if (principal.limitsAddresses) {
    const address = addressOf();
    if (!principal.allowsAddress(address)) return refuseAddress(address);
  }
  return refuseMember(principal) ?? refuseGroup(context.state.catalog, principal) ?? principal;
}

const NO_BODY = Buffer.alloc(0);

/** A body that was asked for. */
export interface ReceivedBody {
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly body: Promise<Buffer | ReceivedForm | Refusal>;
  /** Frees what a form has on disk; absent of other bodies. */
  readonly close?: () => void;
}

/** Asks for the body, before the handler's first await. */
export function receiveBody(
  { exchange, context, endpoint }: Pick<Entrance, 'exchange' | 'context'> & { endpoint: Endpoint },
  { sender }: Caller,
): ReceivedBody {
  const { bodyLimits, bodyBuffers, uploadLimits } = context;
  const contentType = exchange.header('content-type');
  // To find all lines of a header takes a walk over all headers.
  const hasCoding = exchange.header('content-encoding') !== '';
  const contentEncoding = hasCoding ? exchange.headerList('content-encoding') : '';
  const takesForm = 'creates' in endpoint && endpoint.takesForm !== undefined;
  // A form in a content coding is small enough to be decoded in memory, or refused.
  const boundary =
    takesForm && contentEncoding === '' && isMultipart(contentType)
      ? readBoundary(contentType)
      : undefined;
  const body =
    boundary === undefined
      ? exchange.readBody(bodyLimits, bodyBuffers, sender)
      : exchange.readForm(uploadLimits, boundary, sender);
  const close = boundary === undefined ? {} : { close: () => void closeForm(body) };
  return { contentType, contentEncoding, body, ...close };
}

/** Frees what a form has on disk, whether it was taken or not. */
async function closeForm(body: ReceivedBody['body']): Promise<void> {
  const received = await body;
  if ('close' in received) received.close();
}

function wrongTypeAt(endpoint: Endpoint | undefined, contentType: string): Refusal | undefined {
  if (endpoint !== undefined && 'takesAnyContentType' in endpoint) return undefined;
  const takesForm =
    endpoint !== undefined && 'creates' in endpoint ? endpoint.takesForm : undefined;
  if (takesForm === 'alone') return checkFormType(contentType);
  const isForm = takesForm !== undefined && checkFormType(contentType) === undefined;
  return isForm ? undefined : checkContentType(contentType);
}

/**
 * Waits for the body and takes its coding off. Resolves in a tick that has time left to parse it.
 * @param received null where the endpoint takes no body
 * @param endpoint an empty body needs no content type where something stored is changed
 */
export async function takeBody(
  received: ReceivedBody | null,
  { config, perTickLimiter }: ThreadContext,
  endpoint?: Endpoint,
): Promise<Buffer | ReceivedForm | Refusal> {
  if (received === null) return NO_BODY;
  const { contentType, contentEncoding, body } = received;
  const wrongType = wrongTypeAt(endpoint, contentType);
  const mayBeEmpty = endpoint?.operation === 'stored';
  if (wrongType !== undefined && !mayBeEmpty) return wrongType;
  const coded = await body;
  if (isRefusal(coded)) return coded;
  if (wrongType !== undefined && !('close' in coded) && coded.length > 0) return wrongType;
  const bytes =
    contentEncoding === '' || 'close' in coded
      ? coded
      : await decodeBody(coded, contentEncoding, config.requestBodyBytesMax);
  if (isRefusal(bytes)) return bytes;
  const turn = perTickLimiter.acquire();
  if (turn !== undefined) await turn;
  return bytes;
}
