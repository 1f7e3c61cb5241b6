import { once } from 'node:events';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Ticker } from '../../../../gateway/platform/event-loop/ticker.ts';
import type { Exchange } from '../../../../gateway/data-plane/http/exchange.ts';
import { listen, type Listener } from '../../../../gateway/data-plane/http/listen.ts';

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
    exchange.startStream([], 'first', { keepAlive: ': \n\n' });
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

  it.each([
    ['all of them do', false, '/whole'],
    ['a body is too large', true, '/large'],
  ])(
    'stays open for a body that is still coming when its reply closes it: %s',
    async (_, reuse, path) => {
      const { port } = await start(reuse);
      const socket = connect(port, '127.0.0.1');
      const closed = once(socket, 'close');
      let text = '';
      socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
      socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 600000\r\n\r\nx`);
      await expect.poll(() => text).toMatch(/connection: close\r\n[^]*\r\n\r\n./);
      expect(listener?.inFlight()).toBe(0);
      text = '';
      // A client that overlooked that and sends again is served.
      socket.write(`${'x'.repeat(599_999)}GET /whole HTTP/1.1\r\nhost: a\r\n\r\n`);
      await expect.poll(() => text).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\nwhole$/);
      socket.destroy();
      await closed;
    },
  );

  it('does not stay open when its client leaves it so and sends no more', async () => {
    const { port } = await start(false);
    const sockets = ['', 'content-length: 600000\r\n'].map((length) => {
      const socket = connect(port, '127.0.0.1').resume();
      socket.write(`POST /large HTTP/1.1\r\nhost: a\r\n${length}\r\n`);
      return once(socket, 'close');
    });
    await Promise.all(sockets);
  });
});
