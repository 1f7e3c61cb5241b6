import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { usableOffer } from '../../catalog/refuse-model.ts';
import type { ModelEndpoint } from '../../protocols/endpoint.ts';
import type { ReplyDialect } from '../../protocols/dialect.ts';
import type { RealtimeEndpoint } from '../../protocols/realtime.ts';
import type { EndpointMatch, ServedEndpoint } from '../../protocols/registry.ts';
import { clientAddress } from '../authentication/client-address.ts';
import { readCredential } from '../authentication/credential.ts';
import type { Principal } from '../authentication/principal.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { openUpgrade } from '../intake/open-upgrade.ts';
import { headOf } from '../intake/request-head.ts';
import { resolvePath } from '../paths/resolve-path.ts';
import { accept, dialectOf, type AcceptedRequest } from '../request-path.ts';
import { RequestTrace } from '../request-trace.ts';
import { refuseOperation } from '../routing/refuse-operation.ts';
import { servedRoutes } from '../routing/served-routes.ts';
import type { ThreadContext } from '../thread-context.ts';
import { connectUpstream, type Connected } from './connect-upstream.ts';
import { RealtimeSession } from './realtime-session.ts';
import { SessionAccess } from './session-access.ts';
import { NORMAL } from './session-end.ts';
import { tryHold } from './turn-bill.ts';

type AskedEndpoint = ServedEndpoint<ModelEndpoint>;

/** A path on which sessions are served. */
export interface SessionPath {
  readonly match: EndpointMatch;
  readonly endpoint: AskedEndpoint;
  readonly sessions: RealtimeEndpoint;
  readonly dialect: ReplyDialect;
}

/** Finds the endpoint whose sessions a WebSocket on this path carries. */
export function findSessionPath(exchange: HttpExchange): SessionPath | undefined {
  const match = resolvePath('GET', exchange.path);
  if (match.route !== 'endpoint' || !('creates' in match.endpoint)) return undefined;
  const { endpoint } = match;
  const { sessions } = endpoint;
  if (sessions === undefined) return undefined;
  return { match, endpoint, sessions, dialect: dialectOf(exchange, endpoint) };
}

/** The parts of a request for a session that are read before uWS reclaims it. */
interface Opening extends SessionPath {
  readonly exchange: HttpExchange;
  readonly context: ThreadContext;
  readonly trace: RequestTrace;
  readonly header: (lowerCaseName: string) => string;
  readonly key: string;
  readonly address: string;
}

const NO_BODY = Buffer.alloc(0);

/**
 * Opens a session: steps 1, 2, 4 and 5 of the request path, and a hold that is released again, so
 * that no limit and no empty balance is passed by. Every refusal is a reply over HTTP: the
 * connection is upgraded when the upstream has begun the session. Never throws and never rejects.
 */
export function openSession(
  exchange: HttpExchange,
  path: SessionPath,
  context: ThreadContext,
): void {
  const trace = new RequestTrace();
  trace.protocol = path.endpoint.protocol.id;
  const { match, endpoint, dialect } = path;
  const credential = readCredential(exchange);
  const requestHead = headOf(exchange, match);
  openUpgrade(
    { exchange, context, trace, dialect },
    {
      begin: (principal, { headers, remoteAddress }) => {
        const header = (name: string): string => headers.get(name)?.join(', ') ?? '';
        const { trustedProxyHops } = context.config;
        const opening: Opening = {
          ...path,
          ...{ exchange, context, trace, header },
          key: isRefusal(credential) ? '' : credential.key,
          address: clientAddress(remoteAddress, header('x-forwarded-for'), trustedProxyHops),
        };
        const asked = { principal, bytes: NO_BODY, head: requestHead };
        const accepted = accept(asked, { ...opening, ...match, endpoint });
        return isRefusal(accepted) ? accepted : begin(accepted, opening);
      },
      explain: (refusal) => refusal,
    },
  );
}

/** Connects the session, and upgrades its client. Returns why it has not begun. */
async function begin(accepted: AcceptedRequest, opening: Opening): Promise<Refusal | undefined> {
  const { request, offer, principal } = accepted;
  const { exchange, context, endpoint, trace, sessions, header } = opening;
  const { accountId } = principal;
  const unserved = refuseOperation(offer, endpoint);
  if (unserved !== undefined) return unserved;
  if (context.state.shuttingDown) return refuse('shutting_down');
  if (!context.webSockets.mayOpen(accountId)) return TOO_MANY;
  const routes = servedRoutes(offer, endpoint);
  const affordable = await refuseUnaffordable(accepted, opening);
  if (affordable !== undefined) return affordable;
  const connected = await connectUpstream({
    ...{ context, trace, offer, accountId, routes, sessions },
    header,
    isGone: () => exchange.aborted,
  });
  if (isRefusal(connected)) return connected;
  // It has waited for the upstream, and so may have others.
  const refused = context.webSockets.mayOpen(accountId) ? undefined : TOO_MANY;
  if (exchange.aborted || refused !== undefined) {
    connected.socket.close(NORMAL);
    context.health.finished(connected.begun, true);
    return refused ?? refuse('request_timeout');
  }
  const session = newSession(connected, { opening, principal, model: request.model });
  const offered = header('sec-websocket-protocol').split(',');
  const isOffered = offered.some((name) => name.trim() === sessions.subprotocol);
  exchange.upgrade(session, isOffered ? sessions.subprotocol : '');
  return undefined;
}

const TOO_MANY = refuse(
  'concurrency_limit_exceeded',
  'Too many WebSockets are open. Close one, or wait until one ends.',
  { retryAfterMs: 1_000 },
);

/** Holds for the smallest reply, and releases it at once: replies are held for when they come. */
async function refuseUnaffordable(
  { request, offer, principal }: AcceptedRequest,
  { context, endpoint }: Opening,
): Promise<Refusal | undefined> {
  const [route] = servedRoutes(offer, endpoint);
  if (route === undefined) return undefined;
  const turn = { ...NOTHING_SAID, request: { ...request, heldInSlices: false } };
  return tryHold(turn, { context, principal, endpoint, route });
}

const NOTHING_SAID = {
  usage: null,
  isEstimate: false,
  outputTokensEstimate: 0,
  countDelivered: () => ({ input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }),
  deliveredText: () => '',
};

function newSession(
  { socket: upstream, route, begun, first }: Connected,
  asked: { readonly opening: Opening; readonly principal: Principal; readonly model: string },
): RealtimeSession {
  const { opening, principal, model } = asked;
  const { context, endpoint, sessions, key, address } = opening;
  const access = new SessionAccess(context, { key, address, model }, principal);
  const conversation = sessions.begin({
    publicModel: model,
    upstreamModel: route.upstreamModel,
    limits: context.requestLimits,
    upstreamNameOf: (other) => upstreamNameOf(other, { context, access, route }),
  });
  const { accountId } = principal;
  const parts = {
    context,
    endpoint,
    route,
    begun,
    first,
    upstream,
    conversation,
    accountId,
    access,
  };
  return new RealtimeSession(parts);
}

/** Finds another model at the session's channel, for a key that may use it. */
function upstreamNameOf(
  publicModel: string,
  {
    context,
    access,
    route,
  }: {
    readonly context: ThreadContext;
    readonly access: SessionAccess;
    readonly route: Connected['route'];
  },
): string | Refusal {
  const { principal } = access;
  const offer = usableOffer(context.state.catalog, principal, publicModel);
  if (isRefusal(offer)) return offer;
  const own = offer.routes.find(({ channel }) => channel.id === route.channel.id);
  return (
    own?.upstreamModel ??
    refuse('invalid_value', `The upstream of this session does not have ${publicModel}.`)
  );
}
