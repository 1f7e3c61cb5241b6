import { refuse, type Refusal } from '../platform/errors/refusal.ts';
import { preflightHeaders } from './http/cors.ts';
import type { Exchange } from './http/exchange.ts';
import { resolvePath } from './path-hints.ts';
import { noteStranger } from './note-stranger.ts';
import { RequestTrace } from './request-trace.ts';
import { conclude } from './conclude.ts';
import { serveRequest } from './request-path.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { DEFAULT_DIALECT, PROTOCOLS, protocolOf } from '../protocols/registry.ts';
import { serveStored, STORED_PROTOCOL } from './stored-requests.ts';
import type { ThreadContext } from './thread-context.ts';
import { serveHealth, serveReady } from './health.ts';
import { serveModel, serveModels } from './models.ts';
import { endInError, replyHeaders, replyRefusal } from './reply-refusal.ts';

/**
 * Which path is served by what. Never throws and never rejects: each branch ends its own exchange.
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
    case 'models':
      void serveTraced(exchange, context, (trace, dialect) =>
        serveModels(exchange, context, { trace, dialect }),
      );
      return;
    case 'model':
      void serveTraced(exchange, context, (trace, dialect) =>
        serveModel(exchange, context, { trace, dialect, publicId: resolved.modelId }),
      );
      return;
    case 'stored':
      void serveTraced(
        exchange,
        context,
        (trace) => serveStored(exchange, context, { trace, stored: resolved }),
        protocolOf(STORED_PROTOCOL),
      );
      return;
    case 'health':
      serveHealth(exchange);
      return;
    case 'ready':
      void serveReady(exchange, context);
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
      noteStranger({ exchange, context, trace });
      replyRefusal({ exchange, trace, dialect: dialectOf(exchange) }, resolved.refusal, extra);
      conclude(context, trace);
    }
  }
}

/**
 * Codex tries a WebSocket first. After a 426 it uses HTTP at once, after any other status it tries
 * again for seconds.
 */
function refuseWebSocket(exchange: Exchange, context: ThreadContext): void {
  const trace = new RequestTrace();
  noteStranger({ exchange, context, trace });
  const refusal = refuse(
    'websocket_not_supported',
    'This path is not served over WebSocket. Send the request with POST.',
  );
  replyRefusal({ exchange, trace, dialect: dialectOf(exchange) }, refusal);
  conclude(context, trace);
}

async function serveTraced(
  exchange: Exchange,
  context: ThreadContext,
  serve: (trace: RequestTrace, dialect: Protocol) => Promise<Refusal | undefined>,
  dialect: Protocol = dialectOf(exchange),
): Promise<void> {
  const trace = new RequestTrace();
  const reply = { exchange, trace, dialect };
  noteStranger({ exchange, context, trace });
  try {
    const refusal = await serve(trace, dialect);
    if (refusal !== undefined) replyRefusal(reply, refusal);
  } catch (error) {
    context.log.broken(trace.requestId, error);
    endInError(reply);
  } finally {
    conclude(context, trace);
  }
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

/** Whose shape a path has that several protocols share: its clients' headers and prefixes tell. */
function dialectOf(exchange: Exchange): Protocol {
  const found = PROTOCOLS.find((protocol) => protocol.sharesPath?.(exchange) === true);
  return found ?? DEFAULT_DIALECT;
}
