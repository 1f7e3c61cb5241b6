import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The smallest network that providers give to one customer (RFC 6177). */
export const IPV6_NETWORK_BITS = 64;
const IPV6_PART_BITS = 16;

/** `203.0.113.7:51234` and `[2001:db8::1]:443`: some proxies write the port, too. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d{1,5})?|([^:]+):\d{1,5})$/;
/** Quotation marks are of the Forwarded header; some write them here as well. */
const QUOTED = /^"(.*)"$/;

/**
 * Reads the address of a connection or of an X-Forwarded-For entry, with or without a port. An
 * IPv4-mapped IPv6 address is returned as IPv4.
 * @returns undefined for what is no address, such as "unknown" or the name of a host.
 */
export function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const trimmed = text.trim().replace(QUOTED, '$1');
  const [, bracketed, beforePort] = WITH_PORT.exec(trimmed) ?? [];
  const address = bracketed ?? beforePort ?? trimmed;
  // Only isIP is strict: ipaddr.js also takes "10" and "0x7f.1" for addresses.
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}

/** True for an address, and for a range such as `203.0.113.0/24` or `2001:db8::/32`. */
export function isAddressRange(text: string): boolean {
  const [network = ''] = text.split('/');
  return isIP(network) !== 0 && (text === network || ipaddr.isValidCIDR(text));
}

/**
 * The network of one customer: a whole IPv4 address, or the /64 of which a person at home has all.
 * @returns the same text for everything that is no address, so that it never counts as a new
 *   client.
 */
export function networkOf(text: string): string {
  const address = readAddress(text);
  if (address === undefined) return 'unknown';
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts.slice(0, IPV6_NETWORK_BITS / IPV6_PART_BITS).join(':');
}

/** A provider gives one customer up to this much (RFC 6177, BCP 157). */
const IPV6_SITE_BITS = 48;
const IPV4_SITE_OCTETS = 3;

/**
 * The network that one operator can fill with addresses at little cost: an IPv4 /24, an IPv6 /48.
 * For what is counted against many addresses in one hand, where `networkOf` would count each of
 * them.
 */
export function siteOf(text: string): string {
  const address = readAddress(text);
  if (address === undefined) return 'unknown';
  if (address instanceof ipaddr.IPv4) return address.octets.slice(0, IPV4_SITE_OCTETS).join('.');
  return address.parts.slice(0, IPV6_SITE_BITS / IPV6_PART_BITS).join(':');
}
