import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import * as Type from 'typebox';
import type { TSchema } from 'typebox';
import { isAudited, type AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_API_ROOT, ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { authorize } from './callers/authorize.ts';
import type { Audited, Call, Handler, HandlersOf, Identity } from './call.ts';
import { clientAddressOf } from './callers/client-address.ts';
import type { AdminContext } from './context.ts';
import { etagOf, refuseUnmatched } from './etag.ts';
import { claimIdempotencyKey, type IdempotencyClaim } from './idempotency.ts';
import { NoBody, pathSchema } from './path-parameters.ts';
import { sendProblem } from './problem-reply.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once a request is authorized; null for a visitor, on routes for anyone. */
    identity: Identity | null;
  }
  interface FastifyContextConfig {
    /** The id of the route in shared/admin-routes. */
    routeId?: RouteId;
  }
}

export type Handlers = HandlersOf<typeof ADMIN_ROUTES>;

function replySchema(route: AdminRoute): TSchema {
  if (route.reply === 'none') return NoBody;
  return typeof route.reply === 'string' ? Type.String() : route.reply;
}

function routeSchema(id: string, route: AdminRoute) {
  const params = pathSchema(route.path);
  return {
    operationId: id,
    summary: route.summary,
    tags: [route.path.split('/')[route.path.startsWith('/admin/') ? 2 : 1] ?? ''],
    response: { [route.status]: replySchema(route) },
    ...(params === undefined ? {} : { params }),
    ...(route.query === undefined ? {} : { querystring: route.query }),
    ...(route.body === undefined ? {} : { body: route.body }),
  };
}

function headerOf(request: FastifyRequest, name: 'if-match' | 'idempotency-key') {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The `If-Match` check of one request; a route that demands it refuses before its handler runs. */
function staleCheck(route: AdminRoute, request: FastifyRequest): Call['refuseStale'] | Refusal {
  if (route.ifMatch !== true) return () => undefined;
  const ifMatch = headerOf(request, 'if-match');
  if (ifMatch === undefined) {
    return refuse(
      'precondition_required',
      'Send the ETag you last saw as If-Match, or "*" to overwrite whatever is there.',
    );
  }
  return (view) => refuseUnmatched(ifMatch, etagOf(route.reply, view));
}

async function claimOf(
  context: AdminContext,
  routeId: RouteId,
  request: FastifyRequest,
): Promise<IdempotencyClaim | Refusal | null> {
  const route: AdminRoute = ADMIN_ROUTES[routeId];
  if (route.idempotencyKey !== true) return null;
  if (request.identity === null) throw new Error(`${routeId} moves money without a caller`);
  const { userId, accountId, ownAccountId } = request.identity;
  // A key is the person's: what it made in one account is no reply to a request in another. In
  // their own account the content is what it was before people had others.
  const elsewhere = accountId === ownAccountId ? [] : [accountId];
  return claimIdempotencyKey(context, {
    userId,
    route: routeId,
    key: headerOf(request, 'idempotency-key'),
    content: [request.params, request.body, ...elsewhere],
  });
}

function answer(reply: FastifyReply, route: AdminRoute, body: unknown): void {
  void reply.code(route.status);
  if (route.reply === 'none') {
    void reply.send();
    return;
  }
  if (route.etag === true && typeof body === 'object' && body !== null) {
    void reply.header('etag', etagOf(route.reply, body));
  }
  void reply.send(body);
}

/** Runs a handler once for its idempotency key, or repeats what it answered the first time. */
async function runClaimed(
  claim: Exclude<IdempotencyClaim, { kind: 'replay' }> | null,
  run: () => Promise<unknown>,
  route: AdminRoute,
): Promise<unknown> {
  try {
    const result = await run();
    // A refusal is not remembered: after a top-up the same request may succeed.
    const forgotten = isRefused(result) || route.secretReply === true;
    await (forgotten ? claim?.unlock() : claim?.remember(route.status, result));
    return result;
  } catch (error) {
    await claim?.unlock();
    throw error;
  }
}

/**
 * The reply's body: of an audited route the handler returns it with the receipt, as its type
 * demands.
 */
async function viewOf(route: AdminRoute, result: Promise<unknown>): Promise<unknown> {
  const returned = await result;
  if (!isAudited(route) || isRefused(returned)) return returned;
  return (returned as Audited<unknown>).view;
}

function isRefused(result: unknown): result is Refusal {
  return typeof result === 'object' && result !== null && isRefusal(result);
}

function respond<Route extends RouteId>(
  context: AdminContext,
  routeId: Route,
  handler: Handler<Route>,
) {
  const route: AdminRoute = ADMIN_ROUTES[routeId];
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const refuseStale = staleCheck(route, request);
    const claim =
      typeof refuseStale === 'function' ? await claimOf(context, routeId, request) : refuseStale;
    if (typeof refuseStale !== 'function') return sendRefusal(reply, refuseStale);
    if (claim !== null && 'refused' in claim) return sendRefusal(reply, claim);
    if (claim?.kind === 'replay') {
      void reply.header('idempotency-replayed', 'true');
      answer(reply, route, claim.reply);
      return reply;
    }
    // Validated against the schemas that these types are inferred from.
    const call = {
      route: routeId,
      context,
      params: request.params,
      query: request.query,
      body: request.body,
      caller: request.identity,
      address: clientAddressOf(request),
      requestId: request.id,
      operationId: claim?.operationId ?? '',
      refuseStale,
      request,
      reply,
    } as Call<Route>;
    const result = await runClaimed(claim, () => viewOf(route, handler(call)), route);
    if (isRefused(result)) return sendRefusal(reply, result);
    answer(reply, route, result);
    return reply;
  };
}

function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  sendProblem(reply, refusal);
  return reply;
}

/** Registers every route of the tables with its handler. */
export function registerRoutes(
  app: FastifyInstance,
  context: AdminContext,
  handlers: Handlers,
  options: { readonly except: readonly RouteId[] },
): void {
  for (const routeId of Object.keys(ADMIN_ROUTES) as RouteId[]) {
    if (options.except.includes(routeId)) continue;
    // Of each route its own handler: what the two are called by is the same.
    const handler = handlers[routeId] as Handler<typeof routeId>;
    app.route(routeOptions(context, routeId, handler));
  }
}

/** One route as Fastify wants it. */
export function routeOptions<Route extends RouteId>(
  context: AdminContext,
  routeId: Route,
  handler: Handler<Route>,
): RouteOptions {
  const route: AdminRoute = ADMIN_ROUTES[routeId];
  return {
    method: route.method,
    url: ADMIN_API_ROOT + route.path,
    schema: routeSchema(routeId, route),
    config: {
      routeId,
      ...(route.guarded === true
        ? { rateLimit: { max: context.limits.guardedRequestsPerMinute, timeWindow: 60_000 } }
        : {}),
    },
    // After the limits per address, which are `onRequest`: a caller that is refused here is counted
    // nevertheless.
    preParsing: async (request, reply) => {
      const authorized = await authorize(context, routeId, request);
      if (authorized !== null && 'refused' in authorized) return sendRefusal(reply, authorized);
      request.identity = authorized;
      return undefined;
    },
    handler: respond(context, routeId, handler),
  };
}
