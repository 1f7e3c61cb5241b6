import { Agent, request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Ticker } from '../../../../gateway/platform/event-loop/ticker.ts';
import { listen, type Listener } from '../../../../gateway/data-plane/http/listen.ts';

const BODY = 'The body that a GET gets.';

/** One connection for all requests. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const ticker = new Ticker();
let listener: Listener;

beforeAll(async () => {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    crossOriginHeaders: [],
    reuseConnections: true,
    ticker,
    onExchange: (exchange) => {
      if (exchange.path === '/at-once') exchange.reply(200, [], BODY);
      else setImmediate(() => exchange.reply(200, [], BODY));
    },
  });
});

afterAll(() => {
  agent.destroy();
  listener.close();
});

function head(path: string): Promise<{ reply: IncomingMessage; reused: boolean }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: listener.port, method: 'HEAD', path, agent };
    const sent = request(options, (reply) => {
      reply.resume();
      reply.on('end', () => resolve({ reply, reused: sent.reusedSocket }));
    });
    sent.on('error', reject).end();
  });
}

describe('a HEAD request', () => {
  it('gets the head of the reply to a GET, also one that is answered at once', async () => {
    for (const path of ['/at-once', '/later']) {
      const { reply } = await head(path);
      expect(reply.statusCode).toBe(200);
      expect(reply.headers['content-length']).toBe(String(BODY.length));
    }
  });

  it('leaves the connection to the next one', async () => {
    await head('/later');
    expect((await head('/later')).reused).toBe(true);
    expect((await head('/at-once')).reused).toBe(true);
  });
});
