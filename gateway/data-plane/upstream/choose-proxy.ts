import ipaddr from 'ipaddr.js';
import type { Config } from '../../platform/config/config.ts';
import { isAddressRange, readAddress } from '../../platform/network/address.ts';

/** The process's own proxies, as most programs read them from the environment. */
export interface ProxySettings {
  readonly https: string | null;
  readonly http: string | null;
  /** Host names, with or without a port, that are reached without one; `*` is all of them. */
  readonly except: readonly string[];
}

export const NO_PROXIES: ProxySettings = { https: null, http: null, except: [] };
/** The setting of a channel that uses no proxy, whatever the process has. */
export const NO_PROXY_WORD = 'none';

const LOOPBACK = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/**
 * Returns the address of the proxy before an upstream; null when there is none.
 * @param ofChannel what the channel is set to; null leaves it to the process
 */
export function chooseProxy(
  upstream: URL,
  ofChannel: string | null,
  { https, http, except }: ProxySettings,
): string | null {
  if (ofChannel === NO_PROXY_WORD) return null;
  if (ofChannel !== null) return ofChannel;
  const ofProcess = upstream.protocol === 'https:' ? https : http;
  // A proxy's own loopback is another machine's.
  if (LOOPBACK.test(upstream.hostname)) return null;
  return ofProcess === null || except.some((entry) => covers(entry, upstream)) ? null : ofProcess;
}

/** `example.com` and `.example.com` cover the host and all below it, `10.0.0.0/8` its addresses. */
function covers(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInRange(hostname, entry);
  const [, name = '', entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== (port || DEFAULT_PORTS[protocol])) return false;
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const covered = name
    .toLowerCase()
    .replace(/^\*?\./, '')
    .replace(/^\[|\]$/g, '');
  return covered !== '' && (host === covered || host.endsWith(`.${covered}`));
}

/** Names are not looked up for it: the proxy does that. */
function isInRange(hostname: string, range: string): boolean {
  const address = readAddress(hostname);
  if (address === undefined || !isAddressRange(range)) return false;
  const [network, bits] = ipaddr.parseCIDR(range);
  return address.kind() === network.kind() && address.match(network, bits);
}

/** The process's proxies, from its settings. */
export function proxiesOf({
  httpsProxy,
  httpProxy,
  noProxy,
}: Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy'>): ProxySettings {
  return { https: httpsProxy, http: httpProxy, except: readExceptions(noProxy ?? '') };
}

/** Reads `NO_PROXY`: entries with commas or white space between them. */
function readExceptions(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}
