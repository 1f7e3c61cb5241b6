import { refuse } from '../platform/errors/refusal.ts';
import { preflightHeaders } from './http/cors.ts';
import type { Exchange } from './http/exchange.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { serveLogin } from './device-login/serve-login.ts';
import { resolvePath } from './paths/resolve-path.ts';
import { logUnauthenticated } from './intake/log-unauthenticated.ts';
import { RequestTrace } from './request-trace.ts';
import { conclude } from './reply/conclude.ts';
import { serveRequest } from './request-path.ts';
import { clientProtocol } from '../protocols/registry.ts';
import type { ThreadContext } from './thread-context.ts';
import { serveHealth, serveReady } from './health.ts';
import { replyHeaders, replyRefusal } from './reply/reply-refusal.ts';
import { findSessionPath, openSession } from './realtime/open-session.ts';
import { findSocketPath, openWebSocket } from './web-socket/open-web-socket.ts';

/**
 * Serves an exchange by its path. Never throws and never rejects: each branch ends its own
 * exchange.
 */
export function serveExchange(exchange: Exchange, context: ThreadContext): void {
  if (exchange.method === 'OPTIONS') {
    exchange.replyWithoutBody(
      204,
      preflightHeaders(
        exchange.headerList('access-control-request-headers'),
        exchange.header('access-control-request-private-network'),
      ),
    );
    return;
  }
  const resolved = resolvePath(exchange.method, exchange.path);
  switch (resolved.route) {
    case 'endpoint':
      serveRequest(exchange, resolved, context);
      return;
    case 'health':
      serveHealth(exchange);
      return;
    case 'ready':
      void serveReady(exchange, context);
      return;
    case 'login':
      void serveLogin(exchange, resolved.page, context);
      return;
    case 'root':
      serveRoot(exchange);
      return;
    case 'refused': {
      if (
        resolved.allow !== undefined &&
        exchange.header('upgrade').toLowerCase() === 'websocket'
      ) {
        refuseWebSocket(exchange, context);
        return;
      }
      const extra = resolved.allow === undefined ? [] : ([['allow', resolved.allow]] as const);
      const trace = new RequestTrace();
      logUnauthenticated({ exchange, context, trace });
      replyRefusal({ exchange, trace, dialect: clientProtocol(exchange) }, resolved.refusal, extra);
      conclude(context, trace);
    }
  }
}

/** Serves a request that asks for a WebSocket. Never throws and never rejects. */
export function serveUpgrade(exchange: HttpExchange, context: ThreadContext): void {
  const session = findSessionPath(exchange);
  if (session !== undefined) {
    openSession(exchange, session, context);
    return;
  }
  const path = findSocketPath(exchange);
  if (path === undefined) serveExchange(exchange, context);
  else openWebSocket(exchange, path, context);
}

/**
 * Some agents try a WebSocket first. After a 426 they use HTTP at once, after any other status they
 * try again for seconds.
 */
function refuseWebSocket(exchange: Exchange, context: ThreadContext): void {
  const trace = new RequestTrace();
  logUnauthenticated({ exchange, context, trace });
  const refusal = refuse(
    'websocket_not_supported',
    'This path is not served over WebSocket. Send the request with POST.',
  );
  replyRefusal({ exchange, trace, dialect: clientProtocol(exchange) }, refusal);
  conclude(context, trace);
}

/** For people and probes that look at the bare address. */
function serveRoot(exchange: Exchange): void {
  const { requestId } = new RequestTrace();
  const body = {
    name: 'weir',
    message: 'This is a model access gateway. The interface root is /v1.',
  };
  exchange.reply(200, replyHeaders(requestId), JSON.stringify(body));
}
