import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as dnsLookupAll } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { HostAddresses } from './host-addresses.ts';

/**
 * Keeps channels away from the operator's own network: without it an administrator's typing
 * mistake, or a stolen admin session, could read cloud metadata or internal services through a
 * "channel".
 */

/**
 * All that IANA has given out as global unicast; what lies outside (such as ::127.0.0.1) is
 * no one's upstream.
 */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Looks public and is the host of every Azure machine, which serves secrets to it. */
const AZURE_HOST_ADDRESS = '168.63.129.16';

/**
 * True for anything that is not a public unicast address: loopback, private, link-local, metadata,
 * multicast …
 */
export function isPrivateAddress(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  if (!ipaddr.isValid(bare)) return false;
  // "process" turns an IPv4-mapped IPv6 address into the IPv4 address it really reaches.
  const address = ipaddr.process(bare);
  if (address.range() !== 'unicast') return true;
  if (address instanceof ipaddr.IPv6) return !address.match(PUBLIC_IPV6);
  return address.toString() === AZURE_HOST_ADDRESS;
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED';
}

/** A `lookup` for sockets, as `net.connect` takes it. */
export type SocketLookup = (
  hostname: string,
  options: LookupOptions,
  callback: LookupCallback,
) => void;

const hostAddresses = new HostAddresses();

/** Resolves to any address. */
export const openLookup: SocketLookup = buildLookup(() => false);

/**
 * Refuses names which resolve to private addresses. It decides about the very answer that is
 * connected to, so a name that changes its answer between check and use gains nothing.
 */
export const guardedLookup: SocketLookup = buildLookup(isPrivateAddress);

/** @param refuses of an address; one refused address refuses the name. */
export function buildLookup(
  refuses: (address: string) => boolean,
  hosts: Pick<HostAddresses, 'find'> = hostAddresses,
): SocketLookup {
  return (hostname, options, callback) => {
    hosts.find(hostname, (error, addresses) => {
      const [first] = addresses;
      if (error !== null) callback(error, []);
      else if (first === undefined || addresses.some(({ address }) => refuses(address))) {
        callback(new AddressRefused(`${hostname} resolves to a private address`), []);
      } else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * For forms: reports to the operator at once that a base URL will not be reached, and what to do
 * about it.
 */
export async function refusePrivateAddress(
  baseUrl: string,
  allowPrivate: boolean,
): Promise<Refusal | undefined> {
  if (allowPrivate) return undefined;
  const { hostname } = new URL(baseUrl);
  const addresses = await dnsLookupAll(hostname, { all: true }).catch(() => []);
  const isPrivate =
    isPrivateAddress(hostname) || addresses.some(({ address }) => isPrivateAddress(address));
  if (!isPrivate) return undefined;
  return refuse(
    'invalid_value',
    `${hostname} is a loopback, link-local or private address. Use a public address, or allow private addresses for this channel if it really is your own upstream.`,
    { param: 'base_url' },
  );
}
