import { createServer } from 'node:net';

/**
 * Ports are taken from below the range out of which systems give ports to outgoing connections and
 * to `listen(0)` (32,768 to 60,999 on Linux, from 49,152 on macOS): a port from there may be gone,
 * or given a second time, before a server that was told of it listens.
 */
const FIRST_PORT = 10_000;
/** Each of vitest's workers has ports of its own, so that two of them never choose the same. */
const PORTS_PER_WORKER = 2_000;
const WORKERS = 11;

const worker = Number(process.env['VITEST_POOL_ID'] ?? '0') % WORKERS;
let next = Math.floor(Math.random() * PORTS_PER_WORKER);

/**
 * A TCP port on 127.0.0.1 that nothing listens on and that this process has not had from here
 * before.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_PER_WORKER; tries += 1) {
    next = (next + 1) % PORTS_PER_WORKER;
    const port = FIRST_PORT + worker * PORTS_PER_WORKER + next;
    if (await isFree(port)) return port;
  }
  throw new Error(`All of the ${PORTS_PER_WORKER} ports of this worker are taken.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => resolve(true));
  });
  if (!(await listening)) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}
