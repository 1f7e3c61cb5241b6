/**
 * The way of a request through Weir: every path that a client calls with a key is an endpoint of a
 * protocol, and passes these steps. Every branch is here or in the file that its line names; the
 * steps they call are leaves.
 *
 *   1 authenticate   bearer key -> principal        401 missing, malformed, unknown; 403 address; 503 when it cannot be verified
 *   2 parse          bytes -> ParsedRequest         400, 408, 413, 415; 429 and 503 without memory for the body; 403 and 404 for the model;
 *                                                   400 for what no channel of the model can be sent
 *   3 admit          price estimate -> hold         401, 402, 403, 429; 503 when the ledger is away
 *   4 route          model -> next channel          503 when none is left
 *   5 send           request -> upstream            400, 429, 502, 504; another channel while the client has seen nothing
 *   6 relay          reply -> client                an error event once the client has seen something
 *   7 settle         actual cost -> ledger          always, whatever happened in 4 to 6
 *   8 record         usage record -> Postgres       appended by the ledger in the same step as 7
 *
 * Steps 1 and 2 begin in `take-in.ts`: who calls, from which address, and the body. Then the
 * operation of the endpoint decides:
 *
 *   generate, embed, compact,  1 to 8, here; 4 in `deliver.ts`, 5 and 6 in `attempt.ts`
 *   draw, edit, moderate,
 *   transcribe, translate,
 *   speak, rerank
 *   count                      1 and 2, then 4 to 6 in `count-request.ts`, or a count on the worker pool
 *   list, show                 1, then the reply in `models.ts`
 *   stored                     1, then 2 and 4 to 6 in `stored-requests.ts`
 *   tool                       1, then the reply in `serve-tool.ts`
 *   realtime                   1 and 2, then 4 and 5 in `realtime/`; 3 and 6 to 8 for each of its replies
 *
 * A request is one of HTTP, or one frame of a WebSocket: `web-socket/` has the connection, and the
 * steps are the same.
 *
 * An upstream is called by `ask-upstream.ts` alone. What is free is neither admitted nor settled.
 */
import { refuseProtocol } from '../catalog/refuse-group.ts';
import { admit } from './admission/admit.ts';
import { CLIENT_GONE, type Outcome } from './attempt-outcome.ts';
import type { Principal } from './authentication/principal.ts';
import { Billing } from './billing/billing.ts';
import type { Offer } from '../catalog/catalog.ts';
import { refuseUnpriced, usableOffer } from '../catalog/refuse-model.ts';
import { pricesToHold } from '../pricing/tiers.ts';
import { serveRecorded } from './content-log/serve-recorded.ts';
import { ClientReply } from './reply/client-reply.ts';
import { conclude } from './reply/conclude.ts';
import { countPrompt } from './counting/count-request.ts';
import { deliver, type AdmittedRequest, type SendableRequest } from './deliver.ts';
import { isRefusal, refuse, type Refusal } from '../platform/errors/refusal.ts';
import type { Exchange } from './http/exchange.ts';
import type { Endpoint, ModelEndpoint } from '../protocols/endpoint.ts';
import type { ReplyDialect } from '../protocols/dialect.ts';
import type { ParsedRequest, RequestHead } from '../protocols/protocol.ts';
import { ownEndpoint, type EndpointMatch, type ServedEndpoint } from '../protocols/registry.ts';
import { explainRefusal, loginDialect } from './device-login/login-dialect.ts';
import { serveTool } from './device-login/serve-tool.ts';
import { describeModels } from './models.ts';
import {
  brokenRefusal,
  endInError,
  replyRefusal,
  type RefusalReply,
} from './reply/reply-refusal.ts';
import { findStored } from './stored/find-stored.ts';
import { logUnauthenticated } from './intake/log-unauthenticated.ts';
import { openForm } from './intake/open-form.ts';
import { parseRequest, type ModelRequest } from './intake/parse-request.ts';
import { headOf } from './intake/request-head.ts';
import { RequestTrace } from './request-trace.ts';
import { serveStored } from './stored/stored-requests.ts';
import { refuseOperation } from './routing/refuse-operation.ts';
import { servedRoutes } from './routing/served-routes.ts';
import {
  authenticate,
  identifyCaller,
  receiveBody,
  takeBody,
  type Caller,
  type ReceivedBody,
} from './intake/take-in.ts';
import type { ThreadContext } from './thread-context.ts';
import { UpstreamBodies } from './upstream-bodies.ts';
import { promptTokensMax } from '../tokens/prompt-upper-bound.ts';

/** A request on its way. */
export interface ActiveRequest<Kind extends Endpoint = Endpoint> extends Omit<
  EndpointMatch,
  'endpoint'
> {
  readonly exchange: Exchange;
  readonly endpoint: ServedEndpoint<Kind>;
  /** Replaced once the key is known, for a login. */
  dialect: ReplyDialect;
  readonly context: ThreadContext;
  readonly trace: RequestTrace;
}

/** Serves one request of a protocol's endpoint. Never throws and never rejects. */
export function serveRequest(
  exchange: Exchange,
  { endpoint: found, pathModel, ids }: EndpointMatch,
  context: ThreadContext,
): void {
  const endpoint = ownEndpoint(found, exchange);
  const trace = new RequestTrace();
  trace.protocol = endpoint.protocol.id;
  const dialect = dialectOf(exchange, endpoint);
  const passage = { exchange, endpoint, pathModel, ids, dialect, context, trace };
  try {
    const arrival = receive(passage);
    if (!isRefusal(arrival)) {
      void serveArrival(arrival, passage);
      return;
    }
    logUnauthenticated(passage);
    // At once, in uWS's own callback: refusing a guessed key must not cost a promise.
    replyRefusal(refusalReply(passage), arrival);
  } catch (error) {
    endBroken(passage, error);
  }
  conclude(context, trace);
}

async function serveArrival(arrival: Arrival, passage: ActiveRequest): Promise<void> {
  const { context, trace } = passage;
  context.state.requestsUnderWay += 1;
  try {
    const outcome = await serveOperation(arrival, passage);
    if (isRefusal(outcome)) replyRefusal(refusalReply(passage), outcome);
    else outcome.send();
  } catch (error) {
    endBroken(passage, error);
  } finally {
    context.state.requestsUnderWay -= 1;
    conclude(context, trace);
    arrival.body?.close?.();
  }
}

/** Ends step 1, takes the body, and goes on as the endpoint's operation does. */
async function serveOperation(
  arrival: Arrival,
  passage: ActiveRequest,
): Promise<Pick<Outcome, 'send'> | Refusal> {
  const { endpoint, context } = passage;
  const known = authenticate(arrival, passage);
  const principal = known instanceof Promise ? await known : known;
  if (isRefusal(principal)) return principal;
  if (principal.isLogin) passage.dialect = loginDialect(principal, passage);
  const { head } = arrival;
  if (endpoint.operation === 'tool') return serveTool({ endpoint, principal, head }, passage);
  if (endpoint.operation === 'realtime') return SOCKET_ONLY;
  const body = await takeBody(arrival.body, context, endpoint);
  if (isRefusal(body)) return body;
  const read = Buffer.isBuffer(body) ? { bytes: body, head } : await openForm(body, head, passage);
  const asked = { principal, ...read };
  if (asksModel(passage)) return await serveRecorded(asked, passage, serveModel);
  if (endpoint.operation !== 'stored') return describeModels(principal, passage);
  return serveStored({ endpoint, ...asked, query: head.query }, passage);
}

const SOCKET_ONLY = refuse(
  'websocket_not_supported',
  'Open a WebSocket on this path: it has no other requests.',
);

function asksModel(passage: ActiveRequest): passage is ActiveRequest<ModelEndpoint> {
  return 'creates' in passage.endpoint;
}

async function serveModel(
  asked: ModelRequest,
  passage: ActiveRequest<ModelEndpoint>,
): Promise<Pick<Outcome, 'send'> | Refusal> {
  const accepted = accept(asked, passage);
  if (isRefusal(accepted)) return accepted;
  const { exchange, endpoint, context } = passage;
  const { bodyBuffers } = context;
  if (exchange.aborted) return CLIENT_GONE;
  if (endpoint.operation === 'count') return countPrompt(accepted, passage);
  const { request, offer, principal } = accepted;
  const unserved = refuseOperation(offer, endpoint);
  if (unserved !== undefined) return unserved;
  // Most requests refer to nothing that is stored.
  const stored =
    request.refersTo === undefined
      ? null
      : findStored({ request, offer, accountId: principal.accountId }, passage);
  if (stored !== null && isRefusal(stored)) return stored;
  const bodies = new UpstreamBodies({ request, offer, bodyBuffers });
  const routes = stored === null ? bodies.routesFor(servedRoutes(offer, endpoint)) : [stored.route];
  const unsendable = refuseUnpriced(request, offer) ?? bodies.refuse(routes);
  if (unsendable !== undefined) return unsendable;
  const admitted = await holdFor(accepted, passage);
  if (isRefusal(admitted)) return explainRefusal(principal, admitted, passage);
  return await deliverAndSettle({ ...admitted, routes, stored, bodies }, passage);
}

/** Returns the form that replies of an endpoint have; the request's head may ask for another. */
export function dialectOf(exchange: Exchange, endpoint: ServedEndpoint): ReplyDialect {
  return endpoint.protocol.dialectOf?.(endpoint, exchange) ?? endpoint.protocol;
}

function refusalReply({ exchange, trace, dialect }: ActiveRequest): RefusalReply {
  return { exchange, trace, dialect };
}

function endBroken(passage: ActiveRequest, error: unknown): void {
  passage.context.log.broken(passage.trace.requestId, error);
  endInError(refusalReply(passage));
}

/** The parts of a request that are read before uWS reclaims it. */
interface Arrival extends Caller {
  readonly head: RequestHead;
  /** Null where the endpoint takes none. */
  readonly body: ReceivedBody | null;
}

/** 1 authenticate, as far as it needs no waiting; the body is asked for. */
function receive(passage: ActiveRequest): Arrival | Refusal {
  const { exchange, endpoint, context } = passage;
  const caller = identifyCaller(exchange, context);
  if (isRefusal(caller)) return caller;
  const head = headOf(exchange, passage);
  const takesBody = 'creates' in endpoint || 'takesBody' in endpoint;
  return { ...caller, head, body: takesBody ? receiveBody(passage, caller) : null };
}

/** A request that its caller may send and that can be read: nothing is held for it yet. */
export interface AcceptedRequest {
  readonly principal: Principal;
  readonly request: ParsedRequest;
  readonly offer: Offer;
}

/** 2 parse */
export function accept(
  asked: ModelRequest,
  { endpoint, context, trace }: ActiveRequest,
): AcceptedRequest | Refusal {
  const { principal } = asked;
  const { catalog } = context.state;
  const request = parseRequest(asked, endpoint, context);
  if (isRefusal(request)) return request;
  trace.request = request;
  const { model } = request;
  const foreign = refuseProtocol(catalog, {
    to: principal,
    protocol: endpoint.protocol.id,
    model,
  });
  if (foreign !== undefined) return foreign;
  const offer = usableOffer(catalog, principal, model);
  return isRefusal(offer) ? offer : { principal, request, offer };
}

/** Step 3, apart from the rest so that a stream, however long, keeps only what its reply needs. */
export async function holdFor(
  { principal, request, offer }: AcceptedRequest,
  { endpoint: { protocol }, context, trace }: Pick<ActiveRequest, 'endpoint' | 'context' | 'trace'>,
): Promise<AdmittedRequest | Refusal> {
  // 3 admit
  const payer = principal.payer(context.state.catalog);
  const promptTokensHeldMax = promptTokensMax(request, offer.model);
  const { model, bytes: body, promptTokensCounted } = request;
  trace.holdBegins();
  const admitted = await admit(
    {
      requestId: trace.requestId,
      payer,
      offer: offerToHold(offer, request),
      promptTokensBound: Math.min(request.promptTokensBound, promptTokensHeldMax),
      promptTokensEstimate: Math.min(request.promptTokensEstimate, offer.model.contextTokensMax),
      maxOutputTokens: request.heldInSlices ? null : request.maxOutputTokens,
      outputLimitName: protocol.outputLimitName,
      choices: request.choices,
      stream: request.stream,
      bodyBytes: request.bytes.length,
      // A file counts as three pages, but a hold must cover any content.
      countPrompt: (onBegun) => {
        if (request.hasUnboundedParts) return Promise.resolve(promptTokensHeldMax);
        if (promptTokensCounted !== undefined) return Promise.resolve(promptTokensCounted);
        return context.workers.countPrompt({ protocol: protocol.id, model, body }, onBegun);
      },
    },
    context.admission,
  );
  trace.holdEnds();
  if (isRefusal(admitted)) return admitted;

  const bill = { context, identity: trace, request, offer, payer, admitted };
  const billing = new Billing({ ...bill, protocol: protocol.id });
  trace.billing = billing;
  return { request, offer, billing };
}

/** The offer with prices that cover what the request asks for. */
function offerToHold(offer: Offer, request: ParsedRequest): Offer {
  const prices = pricesToHold(offer.prices, request);
  return prices === offer.prices ? offer : { ...offer, prices };
}

/** Steps 4 to 8. */
async function deliverAndSettle(
  sendable: SendableRequest,
  { exchange, endpoint, dialect, context, trace }: ActiveRequest<ModelEndpoint>,
): Promise<Outcome> {
  const { request, offer, billing } = sendable;
  const { replyForm } = request;
  const client = new ClientReply({
    exchange,
    trace,
    dialect: replyForm === undefined ? dialect : { ...dialect, ...replyForm },
    billing,
    request,
    offer,
    keepAliveMs: context.config.keepAliveCommentMs,
  });
  context.ticker.add(client);
  try {
    const outcome = await deliver({ ...sendable, client, endpoint, context, trace });
    return isRefusal(outcome) ? client.refuse(outcome) : outcome;
  } catch (error) {
    context.log.broken(trace.requestId, error);
    return client.refuse(brokenRefusal(trace.requestId));
  } finally {
    context.ticker.remove(client);
    // 7 settle, 8 record
    if (client.clientGone && client.reachedUpstream) billing.abandoned();
    trace.settleBegins();
    await billing.settle();
    if (billing.attempts === 1) client.attempt?.releaseBodies();
  }
}
