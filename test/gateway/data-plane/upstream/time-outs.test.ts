import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { Pool } from 'undici';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChannelEntry } from '../../../../gateway/catalog/snapshot.ts';
import { UpstreamPools } from '../../../../gateway/data-plane/upstream/upstream-pools.ts';
import { chatRequest, openChannel } from './support/open-channel.ts';

const NONE = 0;

const server = createServer((_request, response) => response.end('{}'));
let pools: UpstreamPools;
let channel: ChannelEntry;

beforeEach(async () => {
  channel = await openChannel(server);
  pools = new UpstreamPools({ connectionsMax: 1, allowPrivate: true });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await pools.close();
  server.close();
});

/**
 * undici looks at its clock twice a second: what it was told says in a moment what waiting would
 * say in two seconds.
 */
it('bounds the first byte and silence of streams only: of a whole reply nothing comes before all of it', async () => {
  const dispatch = vi.spyOn(Pool.prototype, 'dispatch');
  for (const stream of [true, false]) {
    expect(await pools.send(channel, chatRequest(Buffer.from('{}'), stream)).head).toMatchObject({
      status: 200,
    });
  }
  const { firstByteMs, idleMs } = channel.timeouts;
  expect(dispatch.mock.calls.map(([options]) => options)).toMatchObject([
    { headersTimeout: firstByteMs, bodyTimeout: idleMs },
    { headersTimeout: NONE, bodyTimeout: NONE },
  ]);
});

it('finds a connection whose other end has gone, however patient the channel is', async () => {
  const setKeepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  await pools.send(channel, chatRequest(Buffer.from('{}'), true)).head;
  expect(setKeepAlive).toHaveBeenCalledWith(true, 30_000);
});
