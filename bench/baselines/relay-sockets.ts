import type { Duplex } from 'node:stream';
import { Pool } from 'undici';
import type { TemplatedApp, WebSocket } from 'uWebSockets.js';
import { Receiver, Sender } from 'ws';

interface Relayed {
  readonly path: string;
  readonly authorization: string;
  upstream: { readonly connection: Duplex; readonly sender: Sender } | undefined;
  gone: boolean;
}

/** A client that takes less than this is slower than its upstream. */
const BUFFERED_BYTES_MAX = 64 * 1024;
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
const GOING_AWAY = 1001;
/** Any will do: our own upstream proves nothing with it. */
const HANDSHAKE = ['sec-websocket-version', '13', 'sec-websocket-key', 'd2VpciB3ZWlyIHdlaXIhIQ=='];

/**
 * Passes the messages of WebSockets on, both ways, and reads none of them. The upstream is paused
 * while a client is slow. A client speaks once the upstream has: nothing is kept for it.
 */
export function relaySockets(app: TemplatedApp, origin: string): void {
  // Each session takes a connection away with it.
  const pool = new Pool(origin, { connections: null, allowH2: false });
  app.ws<Relayed>('/*', {
    compression: 0,
    maxPayloadLength: MESSAGE_BYTES_MAX,
    maxBackpressure: 0,
    idleTimeout: 120,
    sendPingsAutomatically: false,
    upgrade: (res, req, context) => {
      const path = `${req.getUrl()}?${req.getQuery()}`;
      const relayed = { path, authorization: req.getHeader('authorization') };
      const key = req.getHeader('sec-websocket-key');
      res.upgrade<Relayed>({ ...relayed, upstream: undefined, gone: false }, key, '', '', context);
    },
    open: (ws) => {
      connect(ws, pool).catch(() => {
        if (!ws.getUserData().gone) ws.close();
      });
    },
    message: (ws, message, isBinary) => {
      // uWS takes the memory back when this returns.
      const copy = Buffer.from(message.slice(0));
      const frame = { fin: true, binary: isBinary, mask: true, compress: false };
      ws.getUserData().upstream?.sender.send(copy, frame);
    },
    drain: (ws) => {
      if (isFlowing(ws)) ws.getUserData().upstream?.connection.resume();
    },
    close: (ws) => {
      const relayed = ws.getUserData();
      relayed.gone = true;
      relayed.upstream?.connection.destroy();
    },
  });
}

async function connect(ws: WebSocket<Relayed>, pool: Pool): Promise<void> {
  const relayed = ws.getUserData();
  const { socket: connection } = await pool.upgrade({
    path: relayed.path,
    method: 'GET',
    protocol: 'websocket',
    headers: ['authorization', relayed.authorization, ...HANDSHAKE],
  });
  relayed.upstream = { connection, sender: new Sender(connection) };
  const receiver = new Receiver({ isServer: false, maxPayload: MESSAGE_BYTES_MAX });
  receiver.on('message', (data, isBinary) => {
    if (relayed.gone) return;
    ws.send(data, isBinary, false);
    if (!isFlowing(ws)) connection.pause();
  });
  connection.on('data', (chunk: Buffer) => receiver.write(chunk));
  connection.on('error', () => connection.destroy());
  connection.on('close', () => {
    if (!relayed.gone) ws.end(GOING_AWAY, '');
  });
}

function isFlowing(ws: WebSocket<Relayed>): boolean {
  return ws.getBufferedAmount() < BUFFERED_BYTES_MAX;
}
