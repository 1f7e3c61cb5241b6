import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { ReplyDialect } from '../../protocols/dialect.ts';
import type { EndpointMatch } from '../../protocols/registry.ts';
import type { SocketConversation } from '../../protocols/web-socket.ts';
import type { CopiedHead } from '../http/copied-head.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { logUnauthenticated } from '../intake/log-unauthenticated.ts';
import { authenticate, identifyCaller } from '../intake/take-in.ts';
import { resolvePath } from '../paths/resolve-path.ts';
import { conclude } from '../reply/conclude.ts';
import { replyRefusal } from '../reply/reply-refusal.ts';
import { dialectOf } from '../request-path.ts';
import { RequestTrace } from '../request-trace.ts';
import type { ThreadContext } from '../thread-context.ts';
import { WebSocketConnection } from './web-socket-connection.ts';

/** A path that is served over WebSocket. */
export interface SocketPath {
  readonly match: EndpointMatch;
  readonly dialect: ReplyDialect;
  readonly converse: () => SocketConversation;
}

/** Finds the endpoint whose requests a WebSocket on this path carries. */
export function findSocketPath(exchange: HttpExchange): SocketPath | undefined {
  const resolved = resolvePath('POST', exchange.path);
  if (resolved.route !== 'endpoint' || !('creates' in resolved.endpoint)) return undefined;
  const { converse } = resolved.endpoint;
  if (converse === undefined) return undefined;
  return { match: resolved, dialect: dialectOf(exchange, resolved.endpoint), converse };
}

/**
 * Opens a WebSocket for a client with a valid key. Any refusal is a 426: agents use HTTP at once
 * after it, where they get the reason, and try again for seconds after any other status.
 */
export function openWebSocket(
  exchange: HttpExchange,
  path: SocketPath,
  context: ThreadContext,
): void {
  const trace = new RequestTrace();
  trace.protocol = path.match.endpoint.protocol.id;
  const opening: Opening = { exchange, path, context, trace, head: exchange.copyHead() };
  const caller = identifyCaller(exchange, context);
  if (isRefusal(caller)) {
    logUnauthenticated(opening);
    refuseUpgrade(opening, caller);
    return;
  }
  void authenticate(caller, opening)
    .then((principal) => {
      if (isRefusal(principal)) {
        refuseUpgrade(opening, principal);
        return;
      }
      upgrade(opening, principal.accountId);
    })
    .catch((error: unknown) => {
      context.log.broken(trace.requestId, error);
      refuseUpgrade(opening, refuse('internal_error'));
    });
}

interface Opening {
  readonly exchange: HttpExchange;
  readonly path: SocketPath;
  readonly context: ThreadContext;
  readonly trace: RequestTrace;
  readonly head: CopiedHead;
}

function upgrade(opening: Opening, accountId: string): void {
  const { exchange, path, context, head } = opening;
  const { match, dialect } = path;
  if (context.state.shuttingDown || !context.webSockets.mayOpen(accountId)) {
    refuseUpgrade(opening, TOO_MANY);
    return;
  }
  const conversation = path.converse();
  exchange.upgrade(
    new WebSocketConnection({ context, match, dialect, head, conversation, accountId }),
  );
}

const TOO_MANY = refuse('websocket_not_supported', 'Too many WebSockets are open.');

function refuseUpgrade({ exchange, path, context, trace }: Opening, reason: Refusal): void {
  const refusal = refuse(
    'websocket_not_supported',
    `The WebSocket was not opened: ${reason.message} Requests with POST are not affected by this.`,
  );
  replyRefusal({ exchange, trace, dialect: path.dialect }, refusal);
  conclude(context, trace);
}
