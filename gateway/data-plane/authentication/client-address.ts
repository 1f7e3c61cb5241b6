import { readAddress } from '../../platform/network/address.ts';

/** All that is no address is one client: a new text can be invented for every request. */
const NO_ADDRESS = 'unknown';

/**
 * The client's address, without a port. Behind `hops` trusted proxies it is the entry of
 * X-Forwarded-For that the outermost of them wrote, counted from the right: what is left of it
 * was sent by the client and proves nothing.
 */
export function clientAddress(remote: string, forwardedFor: string, hops: number): string {
  if (hops === 0 || forwardedFor === '') return remote;
  // Empty elements of a list count for nothing (RFC 9110, 5.6.1).
  const entries = forwardedFor.split(',').filter((entry) => entry.trim() !== '');
  const entry = entries[Math.max(0, entries.length - hops)] ?? remote;
  return readAddress(entry)?.toString() ?? NO_ADDRESS;
}
