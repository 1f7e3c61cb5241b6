import type { Refusal } from '../platform/errors/refusal.ts';
import { preflightHeaders } from './http/cors.ts';
import type { Exchange } from './http/exchange.ts';
import { resolvePath } from './path-hints.ts';
import { RequestTrace } from './request-trace.ts';
import { conclude, serveChatCompletion } from './request-path.ts';
import type { Rooms } from './rooms.ts';
import { serveHealth, serveReady } from './health.ts';
import { serveModel, serveModels } from './models.ts';
import { endInError, jsonHeaders, replyRefusal } from './reply-refusal.ts';

/** Which path is served by what. Never throws and never rejects: each branch ends its own exchange. */
export function serveExchange(exchange: Exchange, rooms: Rooms): void {
  if (exchange.method === 'OPTIONS') {
    exchange.replyWithoutBody(
      204,
      preflightHeaders(exchange.header('access-control-request-headers')),
    );
    return;
  }
  const resolved = resolvePath(exchange.method, exchange.path);
  switch (resolved.route) {
    case 'chat-completions':
      serveChatCompletion(exchange, rooms);
      return;
    case 'models':
      void serveTraced(exchange, rooms, (trace) => serveModels(exchange, rooms, trace));
      return;
    case 'model':
      void serveTraced(exchange, rooms, (trace) =>
        serveModel(exchange, rooms, trace, resolved.modelId),
      );
      return;
    case 'health':
      serveHealth(exchange);
      return;
    case 'ready':
      void serveReady(exchange, rooms);
      return;
    case 'root':
      serveRoot(exchange);
      return;
    case 'refused': {
      const extra = resolved.allow === undefined ? [] : ([['allow', resolved.allow]] as const);
      const trace = new RequestTrace();
      replyRefusal(exchange, trace, resolved.refusal, extra);
      conclude(rooms, trace);
    }
  }
}

async function serveTraced(
  exchange: Exchange,
  rooms: Rooms,
  serve: (trace: RequestTrace) => Promise<Refusal | undefined>,
): Promise<void> {
  const trace = new RequestTrace();
  try {
    const refusal = await serve(trace);
    if (refusal !== undefined) replyRefusal(exchange, trace, refusal);
  } catch (error) {
    rooms.log.broken(trace, error);
    endInError(exchange, trace);
  } finally {
    conclude(rooms, trace);
  }
}

/** For people and probes that look at the bare address. */
function serveRoot(exchange: Exchange): void {
  const { requestId } = new RequestTrace();
  const body = {
    name: 'weir',
    message: 'This is a model access gateway. The interface root is /v1.',
  };
  exchange.reply(200, jsonHeaders(requestId), JSON.stringify(body));
}
