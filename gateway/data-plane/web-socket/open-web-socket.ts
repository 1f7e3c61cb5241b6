import { refuse } from '../../platform/errors/refusal.ts';
import type { ReplyDialect } from '../../protocols/dialect.ts';
import type { EndpointMatch } from '../../protocols/registry.ts';
import type { SocketConversation } from '../../protocols/web-socket.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { openUpgrade } from '../intake/open-upgrade.ts';
import { resolvePath } from '../paths/resolve-path.ts';
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
  const { match, dialect, converse } = path;
  openUpgrade(
    { exchange, context, trace, dialect },
    {
      begin: ({ accountId }, head) => {
        const { state, webSockets } = context;
        if (state.shuttingDown || !webSockets.mayOpen(accountId)) return TOO_MANY;
        const conversation = converse();
        exchange.upgrade(
          new WebSocketConnection({ context, match, dialect, head, conversation, accountId }),
        );
        return undefined;
      },
      explain: (reason) =>
        refuse(
          'websocket_not_supported',
          `The WebSocket was not opened: ${reason.message} Requests with POST are not affected by this.`,
        ),
    },
  );
}

const TOO_MANY = refuse('websocket_not_supported', 'Too many WebSockets are open.');
