import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BodyBuffers } from '../../../../../gateway/data-plane/http/body/body-buffers.ts';
import { BodyQuota } from '../../../../../gateway/data-plane/http/body/body-quota.ts';
import type { Exchange } from '../../../../../gateway/data-plane/http/exchange.ts';
import { listen } from '../../../../../gateway/data-plane/http/listen.ts';
import { Ticker } from '../../../../../gateway/platform/event-loop/ticker.ts';
import { HANG_MS } from '../../../../support/clocks/hang.ts';
import { Probe } from '../../../../support/probe.ts';

/** Longer than what uWS copies at once. */
const LONG = 'l'.repeat(100_000);

/** The outcome of the bytes that were sent on one connection. */
export interface Outcome {
  /** Whole requests that were served, as "POST /echo body", in their order. */
  readonly served: readonly string[];
  /** Everything that was received. */
  readonly text: string;
  readonly closed: boolean;
}

export interface RawServer {
  /**
   * Sends pieces on a connection of their own; the server has read each before the next is sent.
   */
  send(...pieces: readonly string[]): Promise<Outcome>;
  /** Sends likewise, and waits for a reply that comes late. */
  sendAndWait(reply: RegExp, ...pieces: readonly string[]): Promise<Outcome>;
  close(): void;
}

/**
 * A server that says what it has served. /echo reads a body; /refuse replies without it; /stream,
 * /long and others reply when they have read it.
 * @param uwsModule the build of uWebSockets.js
 */
export async function startRawServer(uwsModule: string): Promise<RawServer> {
  const ticker = new Ticker();
  const buffers = new BodyBuffers(ticker);
  const limits = { bytesMax: 10_000, timeoutMs: HANG_MS, quota: new BodyQuota(1_000_000) };
  let served: string[] = [];

  function serve(exchange: Exchange, body: string): void {
    served.push(`${exchange.method} ${exchange.path} ${body}`);
    if (exchange.path === '/stream') {
      exchange.startStream([], 'first', { keepAlive: ': \n\n' });
      exchange.endStream('last');
    } else if (exchange.path === '/none') exchange.replyWithoutBody(204, []);
    else exchange.reply(200, [], exchange.path === '/long' ? LONG : `echo ${body}`);
  }

  async function readThenServe(exchange: Exchange): Promise<void> {
    const body = await exchange.readBody(limits, buffers, 'a sender');
    if (Buffer.isBuffer(body)) serve(exchange, body.toString());
    else exchange.reply(400, [], body.refused);
  }

  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    crossOriginHeaders: [],
    reuseConnections: true,
    ticker,
    uwsModule,
    onExchange: (exchange) => {
      if (exchange.path === '/health') exchange.reply(200, [], 'ok');
      else if (exchange.path === '/refuse') exchange.reply(401, [], 'refused');
      else if (exchange.method === 'POST') void readThenServe(exchange);
      else serve(exchange, '');
    },
  });
  const probe = new Probe(listener.port);

  async function run(wait: RegExp | undefined, pieces: readonly string[]): Promise<Outcome> {
    served = [];
    const socket = connect(listener.port, '127.0.0.1').setNoDelay();
    await once(socket, 'connect');
    let text = '';
    let closed = false;
    socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => (closed = true));
    // Accepted, so that its bytes are read in their order among those of the probe.
    await probe.untilRead();
    for (const piece of pieces) {
      if (socket.writable) socket.write(piece);
      await probe.untilRead();
    }
    // Bodies are handed on, and replies received, in turns of the event loop after this one.
    for (let turn = 0; turn < 3; turn += 1) await probe.untilRead();
    while (wait !== undefined && !wait.test(text) && !socket.closed) await nextEvent(socket);
    const outcome = { served, text, closed };
    socket.destroy();
    return outcome;
  }

  return {
    send: (...pieces) => run(undefined, pieces),
    sendAndWait: (reply, ...pieces) => run(reply, pieces),
    close: () => {
      probe.close();
      listener.close();
      ticker.stop();
    },
  };
}

function nextEvent(socket: Socket): Promise<unknown> {
  return Promise.race([once(socket, 'data'), once(socket, 'close')]);
}
