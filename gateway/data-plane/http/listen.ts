import type { Ticker } from '../../platform/event-loop/ticker.ts';
import type { NeutralContext, HeaderList } from './exchange-context.ts';
import { Exchange } from './exchange.ts';
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
  const context: NeutralContext = {
    closing: !options.reuseConnections,
    inFlight: 0,
    ticker: options.ticker,
    crossOriginHeaders: options.crossOriginHeaders,
  };
  const app = uws.App();
  app.any('/*', (res, req) => {
    const exchange = new Exchange(res, req, context);
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
        context.closing = true;
        uws.us_listen_socket_close(socket);
      };
      resolve({
        port: uws.us_socket_local_port(socket),
        inFlight: () => context.inFlight,
        endConnections: () => {
          context.closing = true;
        },
        stopAccepting,
        close: () => {
          stopAccepting();
          app.close();
        },
      });
    });
  });
}
