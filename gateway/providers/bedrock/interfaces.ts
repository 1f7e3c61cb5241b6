/**
 * Amazon Bedrock has several interfaces to models; a channel's base address says which of them it
 * uses (docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html).
 */
export type BedrockInterface =
  /** `https://bedrock-runtime.{region}.amazonaws.com`: InvokeModel and Converse. */
  | 'runtime'
  /** The same with `/anthropic`, and Mantle's: Messages, streamed as server-sent events. */
  | 'messages'
  /** The same with `/openai/v1`, and Mantle's with `/v1`: chat completions and Responses. */
  | 'openai'
  /** `https://bedrock-mantle.{region}.api.aws`: Messages for Claude, OpenAI's paths for others. */
  | 'mantle';

const MANTLE_HOST = /^(?:[\w-]+\.)*bedrock-mantle\./;

interface BedrockAddress {
  readonly api: BedrockInterface;
  /** The path of the base address, without a trailing slash. */
  readonly path: string;
  readonly host: string;
}

const addresses = new Map<string, BedrockAddress>();
/** Base addresses of channels, which operators enter. */
const ADDRESSES_MAX = 1_000;

/** Returns where a base address leads; `runtime` for what is no address. */
export function readAddress(baseUrl: string): BedrockAddress {
  let address = addresses.get(baseUrl);
  if (address === undefined) {
    if (addresses.size >= ADDRESSES_MAX) addresses.clear();
    address = parseAddress(baseUrl);
    addresses.set(baseUrl, address);
  }
  return address;
}

function parseAddress(baseUrl: string): BedrockAddress {
  if (!URL.canParse(baseUrl)) return { api: 'runtime', path: '', host: '' };
  const { host, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  return { api: interfaceAt(host, path), path, host };
}

function interfaceAt(host: string, path: string): BedrockInterface {
  if (/\/anthropic(?:\/v1)?$/.test(path)) return 'messages';
  if (/\/openai(?:\/v1)?$/.test(path) || path.endsWith('/v1')) return 'openai';
  return MANTLE_HOST.test(host) ? 'mantle' : 'runtime';
}

/** What of `/v1` a base address lacks. */
export function versionOf({ path }: BedrockAddress): string {
  return path.endsWith('/v1') ? '' : '/v1';
}

/** The hosts of AWS that name a region: of its own network, of FIPS, and of private endpoints. */
const REGIONAL_HOST =
  /(?:^|\.)bedrock(?:-runtime|-mantle)?(?:-fips)?\.(?<region>[a-z]{2,}(?:-[a-z]+)+-\d+)\./;
/** Where a host names none, and the credential neither. AWS' refusal then names the right one. */
const REGION_DEFAULT = 'us-east-1';

/** Returns the region that a host names. */
export function regionOf(host: string): string {
  return REGIONAL_HOST.exec(host)?.groups?.['region'] ?? REGION_DEFAULT;
}

/** Returns the name under which a request to a host is signed. */
export function serviceOf(host: string): string {
  return MANTLE_HOST.test(host) ? 'bedrock-mantle' : 'bedrock';
}

/**
 * Returns the address of the control plane, which alone lists inference profiles. Other hosts, such
 * as gateways before Bedrock, are asked themselves.
 */
export function controlPlaneOf(baseUrl: string): string {
  const { host } = readAddress(baseUrl);
  return /^bedrock-runtime(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/.test(host)
    ? `https://${host.replace('bedrock-runtime', 'bedrock')}`
    : baseUrl;
}
