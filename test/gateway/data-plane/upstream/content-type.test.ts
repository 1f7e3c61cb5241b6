import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { UpstreamPools } from '../../../../gateway/data-plane/upstream/upstream-pools.ts';
import { chatRequest, openChannel } from './support/open-channel.ts';

it.each([
  ['Content-Type: Text/Event-Stream\r\n', 'text/event-stream'],
  ['', ''],
])('a head with %j has the content type %j', async (line, contentType) => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\n${line}content-length: 0\r\n\r\n`));
  });
  const channel = await openChannel(server);
  const pools = new UpstreamPools({ connectionsMax: 1, allowPrivate: true });
  const call = pools.send(channel, chatRequest(Buffer.from('{}'), true));
  expect(await call.head).toMatchObject({ contentType });
  await pools.close();
  server.close();
});
