import type { FastifyRequest } from 'fastify';
import { readAddress } from '../../platform/network/address.ts';

/**
 * Returns the client's address, behind the trusted proxies. Where a proxy wrote something that is
 * no address, it is the proxy's own: text that a client could invent must not count as a new
 * client.
 */
export function clientAddressOf(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const remote = request.socket.remoteAddress ?? '';
  return (readAddress(request.ip) ?? readAddress(remote))?.toString() ?? remote;
}
