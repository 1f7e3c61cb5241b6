import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChannelEntry } from '../../../../gateway/catalog/snapshot.ts';
import { HostAddresses } from '../../../../gateway/data-plane/upstream/host-addresses.ts';
import { UpstreamPools } from '../../../../gateway/data-plane/upstream/upstream-pools.ts';
import { chatRequest, openChannel } from './support/open-channel.ts';

const BODY = Buffer.from('{}');

const server = createServer((request, response) => {
  request.resume();
  response.writeProcessing();
  response.writeEarlyHints({ link: '</style.css>; rel=preload' });
  response.end('{}');
});
let pools: UpstreamPools;
let channel: ChannelEntry;

beforeEach(async () => {
  channel = await openChannel(server);
  pools = new UpstreamPools({ connectionsMax: 1, allowPrivate: false });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await pools.close();
  server.close();
});

it('waits for the reply after informational heads (102, 103)', async () => {
  const open = { ...channel, allowPrivate: true };
  expect(await pools.send(open, chatRequest(BODY, false)).head).toMatchObject({ status: 200 });
});

it('gives a channel that may not use private addresses no connection of one that may', async () => {
  const { port } = server.address() as AddressInfo;
  vi.spyOn(HostAddresses.prototype, 'find').mockImplementation((_, callback) => {
    setImmediate(callback, null, [{ address: '127.0.0.1', family: 4 }]);
  });
  // A name: what is written out is refused before it is looked up.
  const named = { ...channel, baseUrl: `http://some.test:${port}` };
  const open = { ...named, allowPrivate: true };
  expect(await pools.send(open, chatRequest(BODY, false)).head).toMatchObject({ status: 200 });
  const closed = { ...named, allowPrivate: false };
  expect(await pools.send(closed, chatRequest(BODY, false)).head).toMatchObject({
    failed: 'address_refused',
  });
});
