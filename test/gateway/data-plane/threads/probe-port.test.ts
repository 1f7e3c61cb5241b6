import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { probePort } from '../../../../gateway/data-plane/threads/probe-port.ts';
import { freePort } from '../../../support/machine/free-port.ts';

let server: Server | undefined;

afterEach(async () => {
  await new Promise((resolve) => (server === undefined ? resolve(0) : server.close(resolve)));
  server = undefined;
});

async function listen(options: { port: number; reusePort: boolean }): Promise<void> {
  server = createServer();
  await new Promise<void>((resolve) => server?.listen({ host: '127.0.0.1', ...options }, resolve));
}

it('lets a free port pass, and leaves it free', async () => {
  const port = await freePort();
  expect(await probePort('127.0.0.1', port)).toBe(port);
  expect(await probePort('127.0.0.1', port)).toBe(port);
});

it('finds a free one when any port will do', async () => {
  const port = await probePort('127.0.0.1', 0);
  expect(port).toBeGreaterThan(0);
  await listen({ port, reusePort: false });
});

it.each([false, true])('refuses a port in use, shared or not: %s', async (reusePort) => {
  const port = await freePort();
  await listen({ port, reusePort });
  await expect(probePort('127.0.0.1', port)).rejects.toThrow(
    new RegExp(`^PORT: ${port} is in use by another program`),
  );
});

it('names HOST when that is wrong', async () => {
  await expect(probePort('192.0.2.1', await freePort())).rejects.toThrow(/^HOST: 192\.0\.2\.1/);
});
