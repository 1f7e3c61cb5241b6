import type { FastifyRequest } from 'fastify';
import { readAddress } from '../../../platform/network/address.ts';

/**
 * Returns the client's address, behind the trusted proxies. If the proxies' entry is no address,
 * returns the proxy's own: a client must not count as another one by inventing text.
 */
export function clientAddressOf(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const remote = request.socket.remoteAddress ?? '';
  return (readAddress(request.ip) ?? readAddress(remote))?.toString() ?? remote;
}
