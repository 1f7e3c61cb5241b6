import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ProviderClients } from '../../../../gateway/control-plane/sign-on/providers/provider-clients.ts';
import type { ProviderRow } from '../../../../gateway/control-plane/sign-on/providers/provider-row.ts';

let origin = '';
const server = createServer(({ url }, reply) => {
  const end = url?.startsWith('/application/') === true ? '/' : '';
  const path = url?.replace('/.well-known/openid-configuration', '') ?? '';
  reply.writeHead(200, { 'content-type': 'application/json' });
  reply.end(JSON.stringify({ issuer: path === '/other' ? origin : `${origin}${path}${end}` }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function issuerOf(path: string): Promise<string> {
  const clients = new ProviderClients({ secrets: undefined as never, allowPrivateUpstreams: true });
  const provider = { issuer: `${origin}${path}`, clientId: 'weir', sealed: null, preset: 'oidc' };
  const { configuration } = await clients.open(provider as ProviderRow);
  return configuration.serverMetadata().issuer;
}

it.each([
  ['/application/o/weir', '/application/o/weir/'],
  ['/application/o/weir/', '/application/o/weir/'],
  ['/realms/weir/', '/realms/weir'],
])('an issuer that was entered as %s is %s, as the provider names itself', async (path, named) => {
  expect(await issuerOf(path)).toBe(`${origin}${named}`);
});

it('an issuer of another path is refused', async () => {
  await expect(issuerOf('/other')).rejects.toThrow('does not match the expected issuer');
});
