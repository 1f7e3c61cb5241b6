import type { TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js';
import type { ListenerState } from './exchange-context.ts';
import { HttpExchange } from './http-exchange.ts';

/** Serves one WebSocket; the listener calls it. */
export interface SocketHandler {
  opened(socket: ClientSocket): void;
  /** @param frame a text, whose memory is gone as soon as this returns */
  text(frame: Buffer): void;
  binary(): void;
  /** The client has taken some of what was sent. */
  writable(): void;
  /** The socket is gone; no method of it may be called any more. */
  closed(): void;
  /** The listener ends its connections: the socket closes as soon as no reply is under way. */
  goAway(): void;
}

/** The things that uWS needs to make a WebSocket of a request. */
export interface SocketUpgrade {
  readonly key: string;
  readonly socketContext: us_socket_context_t;
}

/** The user data of a uWS socket. */
export interface SocketData {
  readonly handler: SocketHandler;
}

/** A client that takes less than this is slower than its upstream. */
const BUFFERED_BYTES_MAX = 64 * 1024;

/** uWS returns it for a message that the kernel has taken as a whole. */
const SENT = 1;

/**
 * A socket on which no byte arrives for this long is closed. Each ping asks the client for one, so
 * only clients that have gone, or that read nothing, are closed.
 */
const IDLE_SECONDS_MAX = 120;

/** The open end of one WebSocket. */
export class ClientSocket {
  /** The state of the listener that accepted the connection. */
  readonly listener: ListenerState;
  readonly #ws: WebSocket<SocketData>;

  constructor(ws: WebSocket<SocketData>, listener: ListenerState) {
    this.#ws = ws;
    this.listener = listener;
  }

  /** Reports whether the client takes what it is sent about as fast as it comes. */
  sendText(frame: string | Uint8Array): boolean {
    return this.#ws.send(frame, false, false) === SENT || this.isFlowing;
  }

  /** The client takes what it is sent about as fast as it comes. */
  get isFlowing(): boolean {
    return this.#ws.getBufferedAmount() < BUFFERED_BYTES_MAX;
  }

  ping(): void {
    this.#ws.ping();
  }

  /** Closes at once: what the client has not taken is lost. */
  cutOff(): void {
    this.#ws.close();
  }

  /** Closes with a status code of RFC 6455, once the client has taken everything. */
  end(code: number, reason: string): void {
    this.#ws.end(code, reason);
  }
}

/**
 * Accepts WebSockets on every path.
 * @param onUpgrade runs for each request for a WebSocket, which it answers or upgrades
 */
export function acceptSockets(
  app: TemplatedApp,
  listener: ListenerState,
  {
    frameBytesMax,
    onUpgrade,
  }: {
    /** uWS closes a connection that sends a longer message. */
    readonly frameBytesMax: number;
    readonly onUpgrade: (exchange: HttpExchange) => void;
  },
): void {
  app.ws<SocketData>('/*', {
    // Deflate costs CPU and a window of memory for each socket.
    compression: 0,
    maxPayloadLength: frameBytesMax,
    // Weir pauses the upstream of a slow client; a frame dropped by uWS would be lost.
    maxBackpressure: 0,
    idleTimeout: IDLE_SECONDS_MAX,
    sendPingsAutomatically: false,
    upgrade: (res, req, socketContext) => {
      const exchange = new HttpExchange(res, req, listener, socketContext);
      try {
        onUpgrade(exchange);
      } finally {
        exchange.forgetRequest();
      }
    },
    open: (ws) => {
      const { handler } = ws.getUserData();
      listener.sockets.add(handler);
      handler.opened(new ClientSocket(ws, listener));
    },
    message: (ws, message, isBinary) => {
      const { handler } = ws.getUserData();
      if (isBinary) handler.binary();
      else handler.text(Buffer.from(message));
    },
    drain: (ws) => ws.getUserData().handler.writable(),
    close: (ws) => {
      const { handler } = ws.getUserData();
      listener.sockets.delete(handler);
      handler.closed();
    },
  });
}
