import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChannelEntry } from '../../../../gateway/catalog/snapshot.ts';
import type { UpstreamCall } from '../../../../gateway/data-plane/upstream/upstream-call.ts';
import { UpstreamPools } from '../../../../gateway/data-plane/upstream/upstream-pools.ts';
import { chatRequest, openChannel } from './support/open-channel.ts';

/** Much more than the kernel takes for somebody who does not read. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
const SMALL = Buffer.alloc(100_000, 'x');
const REPLY = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

/** Answers a request when it has seen its first bytes, and reads no further until it is told. */
let server: Server;
let reader: Socket;
let pools: UpstreamPools;
let channel: ChannelEntry;

beforeAll(async () => {
  server = createServer((socket) => {
    reader = socket;
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => {
      if (!data.toString('latin1', 0, 5).startsWith('POST ')) return;
      socket.pause();
      socket.write(REPLY);
    });
  });
  channel = await openChannel(server);
  pools = new UpstreamPools({ connectionsMax: 1, allowPrivate: true });
});

afterAll(async () => {
  await pools.close();
  server.close();
});

async function untilOver(call: UpstreamCall): Promise<void> {
  expect(await call.head).toMatchObject({ status: 200 });
  await new Promise<void>((resolve, reject) => {
    call.attach({ data: () => undefined, end: resolve, failure: reject });
  });
}

it('says of a body whether a socket still has to read from it, be the reply over or not', async () => {
  const small = pools.send(channel, chatRequest(SMALL, false));
  expect(small.bodySent).toBe(false);
  await untilOver(small);
  expect(small.bodySent).toBe(true);

  // On the same connection, whose last bytes have been read by now.
  reader.resume();
  const large = pools.send(channel, chatRequest(LARGE, false));
  await untilOver(large);
  expect(large.bodySent).toBe(false);
  // What the first has said of its body still holds while the next is being sent.
  expect(small.bodySent).toBe(true);
});
