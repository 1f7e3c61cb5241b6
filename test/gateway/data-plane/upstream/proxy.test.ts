import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { redirectText } from '../../../../gateway/data-plane/upstream/upstream-head.ts';
import { UpstreamPools } from '../../../../gateway/data-plane/upstream/upstream-pools.ts';
import { CERTIFICATE } from './support/certificate.ts';
import { chatRequest, openChannel } from './support/open-channel.ts';

const asked: IncomingMessage[] = [];
const upstream = createHttpServer((request, response) => {
  asked.push(request);
  request.resume();
  if (request.url?.startsWith('/v1/moved') === true) {
    response.writeHead(308, { location: 'https://other.test/v1/chat?key=secret' }).end();
  } else response.end('{}');
});
const secured = createHttpsServer(CERTIFICATE, (request, response) => {
  request.resume();
  response.end(`{"authorization":"${request.headers.authorization ?? ''}"}`);
});
const tunnels: string[] = [];
let tunnelled = '';
const proxy = createHttpServer((request, response) => {
  // A plain request that is forwarded names the whole address.
  tunnels.push(request.url ?? '');
  request.resume();
  response.end('{}');
});
proxy.on('connect', (request: IncomingMessage, socket) => {
  tunnels.push(request.url ?? '');
  const port = Number(request.url?.split(':')[1]);
  const onward = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    onward.pipe(socket);
    socket.pipe(onward);
  });
  socket.on('data', (bytes: Buffer) => (tunnelled += bytes.toString('latin1')));
  onward.on('error', () => socket.destroy());
  socket.on('error', () => onward.destroy());
});

beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  for (const server of [upstream, secured, proxy]) {
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

it('an upstream with TLS is spoken to through a tunnel, in which the proxy reads nothing', async () => {
  const trusted = getCACertificates('default');
  const channel = await openChannel(secured);
  const baseUrl = channel.baseUrl.replace('http://127.0.0.1', 'https://upstream.test');
  const { port } = proxy.address() as AddressInfo;
  const through = { ...channel, baseUrl, proxy: `http://127.0.0.1:${port}` };
  const headers = ['authorization', 'Bearer sk-of-the-upstream'];
  const request = { ...chatRequest(Buffer.from('{}'), false), headers };
  const send = async () => {
    const pools = new UpstreamPools({ connectionsMax: 1, allowPrivate: false });
    try {
      return await pools.send(through, request).head;
    } finally {
      await pools.close();
    }
  };
  expect(await send()).toMatchObject({ failed: expect.any(String) as string });
  setDefaultCACertificates([...trusted, CERTIFICATE.cert]);
  try {
    expect(await send()).toMatchObject({ status: 200 });
  } finally {
    setDefaultCACertificates(trusted);
  }
  expect(tunnels.at(-1)).toBe(new URL(baseUrl).host);
  expect(tunnelled).not.toContain('sk-of-the-upstream');
});
