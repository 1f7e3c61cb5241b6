import type { Ticker } from '../../platform/event-loop/ticker.ts';
import { acceptSockets } from './client-socket.ts';
import type { ListenerState, HeaderList } from './exchange-context.ts';
import type { Exchange } from './exchange.ts';
import { HttpExchange } from './http-exchange.ts';
import { DEFAULT_UWS_MODULE, loadServerLibrary } from './server-library.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Added to replies to browsers. */
  readonly crossOriginHeaders: HeaderList;
  /** False closes each connection with its reply. */
  readonly reuseConnections: boolean;
  /** Calls exchanges that wait for their client. */
  readonly ticker: Ticker;
  /**
   * The build of uWebSockets.js; see `loadServerLibrary`. The default is what package.json brings.
   */
  readonly uwsModule?: string;
  /** Runs for each request; headers and body are asked for before its first await. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Absent: a request for a WebSocket is a request like others. */
  readonly webSockets?: {
    /** uWS closes a connection that sends a longer message. */
    readonly frameBytesMax: number;
    /** Runs for each request for a WebSocket; headers are read before its first await. */
    readonly onUpgrade: (exchange: HttpExchange) => void;
  };
}

export interface Listener {
  readonly port: number;
  inFlight(): number;
  /** Takes new connections still, but closes each with its next reply. */
  endConnections(): void;
  /** Takes no new connections; those that are open are served, and closed with their next reply. */
  stopAccepting(): void;
  /** Closes every connection. The thread can end by itself afterwards. */
  close(): void;
}

/**
 * Listens on a port that other threads may share: the kernel spreads connections over them
 * (SO_REUSEPORT), and a thread that dies takes only its own connections with it.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const uws = await loadServerLibrary(options.uwsModule ?? DEFAULT_UWS_MODULE);
  const context: ListenerState = {
    closing: !options.reuseConnections,
    inFlight: 0,
    sockets: new Set(),
    ticker: options.ticker,
    crossOriginHeaders: options.crossOriginHeaders,
  };
  const app = uws.App();
  if (options.webSockets !== undefined) acceptSockets(app, context, options.webSockets);
  app.any('/*', (res, req) => {
    const exchange = new HttpExchange(res, req, context);
    try {
      options.onExchange(exchange);
    } finally {
      exchange.forgetRequest();
    }
  });
  return new Promise((resolve, reject) => {
    app.listen(options.host, options.port, (socket) => {
      if (socket === false) {
        reject(
          new Error(
            `Port ${options.port} on ${options.host} cannot be used; another program may be using it. Set PORT to a free one.`,
          ),
        );
        return;
      }
      let accepting = true;
      const stopAccepting = (): void => {
        if (!accepting) return;
        accepting = false;
        endConnections(context);
        uws.us_listen_socket_close(socket);
      };
      resolve({
        port: uws.us_socket_local_port(socket),
        inFlight: () => context.inFlight,
        endConnections: () => endConnections(context),
        stopAccepting,
        close: () => {
          stopAccepting();
          app.close();
        },
      });
    });
  });
}

function endConnections(context: ListenerState): void {
  context.closing = true;
  for (const socket of context.sockets) socket.goAway();
}
