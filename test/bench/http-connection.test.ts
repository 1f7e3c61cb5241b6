import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpConnection } from '../../bench/load/http-connection.ts';

let server: Server | undefined;
let connection: HttpConnection | undefined;

afterEach(() => {
  connection?.destroy();
  server?.close();
});

interface Seen {
  readonly status: number;
  readonly events: number;
  readonly firstBytes: number;
}

/** Sends one request to a server that answers with these bytes, a write each. */
async function ask(pieces: readonly string[], thenClose = false): Promise<Seen> {
  const answer = async (socket: Socket): Promise<void> => {
    await once(socket, 'data');
    for (const piece of pieces) {
      socket.write(piece);
      await sleep(15);
    }
    if (thenClose) socket.destroy();
  };
  server = createServer((socket) => void answer(socket));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No TCP port was given.');
  connection = new HttpConnection({ host: '127.0.0.1', port: address.port });
  let events = 0;
  let firstBytes = 0;
  const status = await new Promise<number>((resolve) => {
    connection?.send(Buffer.from('POST / HTTP/1.1\r\n\r\n'), {
      onFirstByte: () => (firstBytes += 1),
      onEvents: (count) => (events += count),
      onEnd: resolve,
    });
  });
  return { status, events, firstBytes };
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('the driver’s HTTP connection', () => {
  it('reads a reply of a known length, its head in two pieces', async () => {
    const seen = await ask([
      'HTTP/1.1 402 Payment Re',
      'quired\r\ncontent-length: 4\r\n\r\nab',
      'cd',
    ]);
    expect(seen).toEqual({ status: 402, events: 0, firstBytes: 1 });
  });

  it('counts the events of a stream', async () => {
    const event = 'data: x\n\n';
    const seen = await ask([CHUNKED, `9\r\n${event}\r\n`, `12\r\n${event}${event}\r\n0\r\n\r\n`]);
    expect(seen).toEqual({ status: 200, events: 3, firstBytes: 1 });
  });

  it('sees the end of a stream that comes in two pieces', async () => {
    const seen = await ask([`${CHUNKED}9\r\ndata: x\n\n\r\n0\r`, '\n\r\n']);
    expect(seen).toEqual({ status: 200, events: 1, firstBytes: 1 });
  });

  it('answers status 0 when the connection breaks midway', async () => {
    const seen = await ask([`${CHUNKED}9\r\ndata: x\n\n\r\n`], true);
    expect(seen).toEqual({ status: 0, events: 1, firstBytes: 1 });
  });
});
