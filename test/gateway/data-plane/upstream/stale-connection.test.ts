import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChannelEntry } from '../../../../gateway/catalog/snapshot.ts';
import type { UpstreamHead } from '../../../../gateway/data-plane/upstream/upstream-head.ts';
import type { UpstreamFailure } from '../../../../gateway/platform/errors/upstream-failure.ts';
import { UpstreamPools } from '../../../../gateway/data-plane/upstream/upstream-pools.ts';
import { chatRequest, openChannel } from './support/open-channel.ts';

const CONNECTIONS = 40;
const BODY = Buffer.from('{"model":"m"}');
const REPLY = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

/** The upstream's behaviour for a request on a connection that has had so many before. */
type Behaviour = (socket: Socket, before: number) => void;

let server: Server;
let pools: UpstreamPools;
let channel: ChannelEntry;
let behave: Behaviour;
let received = 0;
const open = new Set<Socket>();

function reply(socket: Socket): void {
  socket.write(REPLY);
}

beforeEach(async () => {
  // It stands still, so that no machine is too slow for what counts as just closing.
  vi.useFakeTimers({ toFake: ['performance'] });
  received = 0;
  behave = reply;
  server = createServer((socket) => {
    let before = 0;
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    // A request is small enough to come in one piece.
    socket.on('data', () => {
      received += 1;
      behave(socket, before++);
    });
  });
  channel = await openChannel(server);
  pools = new UpstreamPools({ connectionsMax: CONNECTIONS, allowPrivate: true });
});

afterEach(async () => {
  vi.useRealTimers();
  await pools.close();
  server.close();
});

async function ask(onHead?: () => void): Promise<UpstreamHead | UpstreamFailure> {
  const call = pools.send(channel, chatRequest(BODY, false));
  const head = await call.head;
  if ('failed' in head) return head;
  onHead?.();
  await new Promise<void>((resolve, reject) => {
    call.attach({ data: () => undefined, end: resolve, failure: reject });
  });
  // The connection is free for the next request only after its last callback.
  await turn();
  return head;
}

function askAll(): Promise<(UpstreamHead | UpstreamFailure)[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => ask()));
}

it('sends a request again when the upstream was just closing the connection it went out on', async () => {
  await askAll();
  expect(open.size).toBe(CONNECTIONS);
  // The requests are on their way when the upstream closes everything that it has kept: it answers
  // nothing there.
  behave = (socket, before) => {
    if (before > 0) socket.destroy();
    else reply(socket);
  };
  const heads = await askAll();
  expect(heads.map((head) => ('failed' in head ? head : head.status))).toEqual(
    heads.map(() => 200),
  );
});

it('does not send again on a connection that was new: there the upstream had the request', async () => {
  behave = (socket) => socket.destroy();
  expect(await ask()).toMatchObject({ failed: 'connection_broke' });
  expect(received).toBe(1);
});

it('does not send again what the upstream may have worked on', async () => {
  await ask();
  behave = (socket) => {
    vi.advanceTimersByTime(1_000);
    socket.destroy();
  };
  expect(await ask()).toMatchObject({ failed: 'connection_broke' });
  expect(received).toBe(2);
});

it('does not send again once the reply has begun', async () => {
  await ask();
  behave = (socket) => socket.write(REPLY.slice(0, -1));
  const asked = ask(() => {
    for (const socket of open) socket.destroy();
  });
  await expect(asked).rejects.toMatchObject({ failed: 'connection_broke' });
  expect(received).toBe(2);
});

it('does not send again once the upstream has shown that it has the request', async () => {
  await ask();
  behave = (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n', () => socket.destroy());
  expect(await ask()).toMatchObject({ failed: 'connection_broke' });
  expect(received).toBe(2);
});

it.each(['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'nonsense'])(
  'does not send again after a head that cannot be understood: %j',
  async (head) => {
    await ask();
    behave = (socket) => socket.write(head);
    expect(await ask()).toMatchObject({ failed: 'connection_broke' });
    expect(received).toBe(2);
  },
);

it('does not send again for a caller that has left', async () => {
  await ask();
  behave = () => undefined;
  const call = pools.send(channel, chatRequest(BODY, false));
  await expect.poll(() => received).toBe(2);
  call.abort({ failed: 'aborted', detail: 'the client left' });
  expect(await call.head).toMatchObject({ failed: 'aborted' });
  // Sent again, it would arrive before the next.
  behave = reply;
  expect(await ask()).toMatchObject({ status: 200 });
  expect(received).toBe(3);
});
