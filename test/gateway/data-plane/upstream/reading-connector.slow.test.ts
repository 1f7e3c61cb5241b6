import { once } from 'node:events';
import {
  createServer as createPlainServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, type Dispatcher } from 'undici';
import {
  buildReadingConnector,
  lendReads,
} from '../../../../gateway/data-plane/upstream/reading-connector.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import { PSK_CLIENT, PSK_SERVER } from '../../../support/stores/psk-tls.ts';

/** The server's reply, piece by piece; "close" ends the connection. */
type Reply = readonly (Buffer | 'close')[];

interface Peer {
  readonly origin: string;
  readonly server: Server;
  /** The reply to a request for `/<name>`. */
  readonly replies: Map<string, Reply>;
  readonly sockets: Set<Socket>;
}

async function play(socket: Socket, reply: Reply): Promise<void> {
  for (const piece of reply) {
    if (socket.destroyed) return;
    if (piece === 'close') socket.end();
    else if (!socket.write(piece))
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    // So that most pieces come in a read of their own, in turn with those of other connections.
    await sleep(1);
  }
}

async function startPeer(scheme: 'http' | 'https'): Promise<Peer> {
  const replies = new Map<string, Reply>();
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data: Buffer) => {
      const path = /^POST \/(\S+) /.exec(data.toString('latin1'))?.[1];
      if (path !== undefined) void play(socket, replies.get(path) ?? []);
    });
  };
  const server = scheme === 'http' ? createPlainServer(serve) : createTlsServer(PSK_SERVER, serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `${scheme}://127.0.0.1:${port}`, server, replies, sockets };
}

interface Received {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Buffer;
}

/**
 * Reads a reply; after each piece whose turn it is in `pauses`, stops for so many milliseconds.
 * @param lent the connection that lends the pieces of the body
 */
function ask(
  client: Client,
  name: string,
  pauses: readonly number[],
  lent?: () => Socket | undefined,
): Promise<Received> {
  const lend = (lends: boolean): void => {
    const socket = lent?.();
    if (socket !== undefined) lendReads(socket, lends);
  };
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let status = 0;
    let headers: Received['headers'] = {};
    client.dispatch(
      {
        path: `/${name}`,
        method: 'POST',
        body: '{}',
        bodyTimeout: HANG_MS,
        headersTimeout: HANG_MS,
      },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, code, head) => {
          status = code;
          headers = head;
          lend(true);
        },
        onResponseData: (controller, chunk) => {
          // As they are, without a copy: they must stay what they were.
          parts.push(lent === undefined ? chunk : Buffer.from(chunk));
          const pauseMs = pauses[parts.length % Math.max(1, pauses.length)] ?? 0;
          if (pauseMs === 0) return;
          controller.pause();
          setTimeout(() => controller.resume(), pauseMs);
        },
        onResponseEnd: () => {
          lend(false);
          resolve({ status, headers, body: Buffer.concat(parts) });
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

const framed = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);

const HEAD = 'HTTP/1.1 200 OK\r\nx-first: of several words\r\ncontent-type: text/plain\r\n';

describe.each(['http', 'https'] as const)('%s', (scheme) => {
  let peer: Peer;
  const clients: Client[] = [];
  /** The connection of the last client, which lends what it reads. */
  let lent: Socket | undefined;
  const connect = buildReadingConnector({
    timeout: HANG_MS,
    allowH2: false,
    ...PSK_CLIENT,
  });
  const connectLending: typeof connect = (target, callback) => {
    connect(target, (...connected) => {
      lent = connected[1] ?? undefined;
      callback(...connected);
    });
  };

  beforeAll(async () => {
    peer = await startPeer(scheme);
    for (const connector of [connect, connect, connect, connectLending]) {
      clients.push(new Client(peer.origin, { connect: connector, pipelining: 1 }));
    }
  });

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.destroy()));
    peer.server.close();
  });

  it('hands on heads and bodies whole, however they are cut and whichever side pauses, on several connections at once', async () => {
    const body = fc
      .uint8Array({ minLength: 1, maxLength: 3_000, size: 'max' })
      .map((bytes) => Buffer.from(bytes));
    const plan = fc.record({
      chunks: fc.array(body, { minLength: 1, maxLength: 6 }),
      sizes: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 5 }),
      pauses: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
    });
    const plans = fc.array(plan, { minLength: clients.length, maxLength: clients.length });
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(plans, async (each) => {
        const received = await Promise.all(
          each.map(({ chunks, sizes, pauses }, index) => {
            const name = `${turn}-${index}`;
            turn += 1;
            const head = `${HEAD}x-name: ${name}\r\ntransfer-encoding: chunked\r\n\r\n`;
            const bytes = [Buffer.from(head), ...chunks.map(framed), Buffer.from('0\r\n\r\n')];
            // At least fifteen bytes a piece on the average, or a reply takes seconds.
            peer.replies.set(name, cut(Buffer.concat(bytes), [...sizes, 900]));
            const client = clients[index];
            if (client === undefined) throw new Error('a client for each plan');
            const isLast = index === clients.length - 1;
            const reply = ask(client, name, pauses, isLast ? () => lent : undefined);
            return reply.then((one) => ({ name, reply: one }));
          }),
        );
        for (const [index, { name, reply }] of received.entries()) {
          expect(reply.status).toBe(200);
          expect(reply.headers).toMatchObject({ 'x-first': 'of several words', 'x-name': name });
          expect(reply.body.equals(Buffer.concat(each[index]?.chunks ?? []))).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
    // All of them on the connections that were there from the first: none was lost on the way.
    expect(peer.sockets.size).toBe(clients.length);
  });

  it('hands on all of a body that ends with its connection, paused or not', async () => {
    const [client] = clients;
    if (client === undefined) throw new Error('a client');
    for (const pauses of [[], [30]]) {
      const body = Buffer.alloc(200_000, 'weir ');
      peer.replies.set('ends', [Buffer.from(`${HEAD}connection: close\r\n\r\n`), body, 'close']);
      const reply = await ask(client, 'ends', pauses);
      expect(reply.body.equals(body)).toBe(true);
    }
  });

  it('reads nothing for a reader that pauses, so that the upstream waits', async () => {
    const [, client, other] = clients;
    if (client === undefined || other === undefined) throw new Error('two clients');
    const pieces = Array.from({ length: 128 }, () => Buffer.alloc(256 * 1024, 'x'));
    const length = 128 * 256 * 1024;
    const head = Buffer.from(`${HEAD}content-length: ${length}\r\n\r\n`);
    peer.replies.set('large', [head, ...pieces]);
    let got = 0;
    let resume: () => void = () => undefined;
    let paused: () => void = () => undefined;
    const hasPaused = new Promise<void>((resolve) => (paused = resolve));
    const ended = new Promise<void>((resolve, reject) => {
      client.dispatch(
        { path: '/large', method: 'POST', body: '{}' },
        {
          onRequestStart: () => undefined,
          onResponseStart: () => undefined,
          onResponseData: (controller, chunk) => {
            got += chunk.length;
            if (got !== chunk.length) return;
            controller.pause();
            resume = () => controller.resume();
            paused();
          },
          onResponseEnd: () => resolve(),
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
    await hasPaused;
    // The same reply comes whole to a reader that does not pause, while the upstream of the other
    // can write no more.
    expect((await ask(other, 'large', [])).body).toHaveLength(length);
    expect(got).toBeLessThanOrEqual(64 * 1024);
    await until('one of them waits', () => {
      const waiting = [...peer.sockets].filter(({ writableNeedDrain }) => writableNeedDrain);
      return waiting.length === 1;
    });
    resume();
    await ended;
    expect(got).toBe(length);
  });
});
