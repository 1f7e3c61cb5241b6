import { request, type IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { Ticker } from '../../../gateway/clock/ticker.ts';
import type { Exchange } from '../../../gateway/http/exchange.ts';
import { listen, type Listener } from '../../../gateway/http/listen.ts';

const ticker = new Ticker();
let listener: Listener | undefined;

afterEach(() => {
  listener?.close();
  listener = undefined;
});

async function start(reuseConnections: boolean): Promise<Listener> {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    crossOriginHeaders: [],
    reuseConnections,
    ticker,
    onExchange,
  });
  return listener;
}

function onExchange(exchange: Exchange): void {
  if (exchange.path === '/stream') {
    exchange.startStream([], 'first');
    exchange.endStream('last');
  } else if (exchange.path === '/none') exchange.replyWithoutBody(204, []);
  else if (exchange.path === '/large') exchange.reply(413, [], 'too large');
  else exchange.reply(200, [], 'whole');
}

function headersOf({ port }: Listener, path: string): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const headers = { connection: 'keep-alive' };
    request({ host: '127.0.0.1', port, path, headers }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.headers));
    })
      .on('error', reject)
      .end();
  });
}

describe('a client’s connection', () => {
  it.each(['/whole', '/stream', '/none'])(
    'comes with the time for which it may be kept, shorter than the 8 s after which uWS may close it: %s',
    async (path) => {
      const headers = await headersOf(await start(true), path);
      expect(headers['keep-alive']).toBe('timeout=5');
      expect(headers.connection).not.toBe('close');
    },
  );

  it.each(['/whole', '/stream', '/none', '/large'])(
    'ends with its reply where that is wanted: %s',
    async (path) => {
      const headers = await headersOf(await start(false), path);
      expect(headers['keep-alive']).toBeUndefined();
      expect(headers.connection).toBe('close');
    },
  );

  it('is not said to be kept behind a reply that closes it', async () => {
    const headers = await headersOf(await start(true), '/large');
    expect(headers['keep-alive']).toBeUndefined();
    expect(headers.connection).toBe('close');
  });
});
