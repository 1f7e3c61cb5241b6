import { createServer } from 'node:net';

/** A TCP port on 127.0.0.1 that nothing listens on at this moment. Another process may still take it first. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No TCP port was given.');
  return address.port;
}
