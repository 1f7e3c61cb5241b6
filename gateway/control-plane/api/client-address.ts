import type { FastifyRequest } from 'fastify';
import { readAddress } from '../../platform/network/address.ts';

/**
 * The client's address, behind as many proxies as are trusted. Where a proxy wrote something that is no address, it is
 * the proxy's own: what a client could make up must not count as somebody new with each request.
 */
export function clientAddressOf(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const remote = request.socket.remoteAddress ?? '';
  return (readAddress(request.ip) ?? readAddress(remote))?.toString() ?? remote;
}
