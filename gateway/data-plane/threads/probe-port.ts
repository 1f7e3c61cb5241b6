import { createServer } from 'node:net';
import { ConfigError } from '../../platform/config/config.ts';

/**
 * Makes sure that no process listens where the HTTP threads will. They listen with SO_REUSEPORT,
 * and so could another Weir on the same port: each would get a part of the connections and refuse
 * the other's keys.
 * @param port 0 finds a free one. uWS shares no port that it has found itself, so threads are
 *   never given a 0.
 * @returns the port.
 */
export async function probePort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
  } catch (error) {
    const cause = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigError(sentence(host, port, cause));
  }
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : port;
}

function sentence(host: string, port: number, cause: string): string {
  switch (cause) {
    case 'EADDRINUSE':
      return `PORT: ${port} is in use by another program, perhaps another Weir. Stop that one, or set PORT to a free one.`;
    case 'EACCES':
      return `PORT: ${port} may not be used by this user. Set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST: ${host} is no address of this machine. Write 127.0.0.1, or 0.0.0.0 for every interface.`;
    default:
      return `PORT: ${port} on ${host} cannot be used (${cause}). Set PORT to a free one.`;
  }
}
