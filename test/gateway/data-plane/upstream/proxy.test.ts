import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { redirectText } from '../../../../gateway/data-plane/upstream/redirect-text.ts';
import { UpstreamPools } from '../../../../gateway/data-plane/upstream/upstream-pools.ts';
import { chatRequest, openChannel } from './support/open-channel.ts';

const asked: IncomingMessage[] = [];
const upstream = createHttpServer((request, response) => {
  asked.push(request);
  request.resume();
  if (request.url?.startsWith('/v1/moved') === true) {
    response.writeHead(308, { location: 'https://other.test/v1/chat?key=secret' }).end();
  } else response.end('{}');
});
const tunnels: string[] = [];
const proxy = createHttpServer((request, response) => {
  // A plain request that is forwarded names the whole address.
  tunnels.push(request.url ?? '');
  request.resume();
  response.end('{}');
});
proxy.on('connect', (request: IncomingMessage, socket) => {
  tunnels.push(request.url ?? '');
  const { port } = upstream.address() as AddressInfo;
  const onward = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    onward.pipe(socket);
    socket.pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  socket.on('error', () => onward.destroy());
});

beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  for (const server of [upstream, proxy]) {
    server.closeAllConnections();
    server.close();
  }
});

it('a channel’s request goes through its proxy, and a redirect is named and not followed', async () => {
  const channel = await openChannel(upstream);
  const { port } = proxy.address() as AddressInfo;
  const pools = new UpstreamPools({ connectionsMax: 1, allowPrivate: true });
  const request = chatRequest(Buffer.from('{}'), false);
  const through = pools.send({ ...channel, proxy: `http://127.0.0.1:${port}` }, request);
  expect(await through.head).toMatchObject({ status: 200 });
  expect(tunnels).toHaveLength(1);

  const moved = await pools.send(channel, { ...request, path: '/moved' }).head;
  if ('failed' in moved) throw new Error(moved.detail);
  expect(moved).toMatchObject({ status: 308, redirect: 'https://other.test/v1/chat' });
  expect(redirectText(moved)).toContain('https://other.test/v1/chat');
  expect(redirectText(moved)).not.toContain('secret');
  await pools.close();
});
