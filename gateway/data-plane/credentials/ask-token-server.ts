import type { MintFailure, TokenReply, TokenRequest } from '../../providers/minting.ts';
import { askUpstream } from '../ask-upstream.ts';
import type { ProxySettings } from '../upstream/choose-proxy.ts';
import { UpstreamPools } from '../upstream/upstream-pools.ts';

/** The network settings of a channel: its proxy, and whether private addresses are allowed. */
export interface TokenServerAccess {
  readonly allowPrivate: boolean;
  /** See `ChannelEntry.proxy`. */
  readonly proxy: string | null;
  readonly proxies: ProxySettings;
}

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
const REPLY_BYTES_MAX = 64 * 1024;
const TIMEOUTS = {
  connectMs: CONNECT_TIMEOUT_MS,
  firstByteMs: TIMEOUT_MS,
  idleMs: TIMEOUT_MS,
  totalMs: TIMEOUT_MS,
};

/** Sends one request to an issuer of secrets, on a connection of its own. */
export async function askTokenServer(
  { url, form, json, headers = [], isLocal = false }: TokenRequest,
  access: TokenServerAccess,
): Promise<TokenReply | MintFailure> {
  const { origin, host, pathname, search } = new URL(url);
  const allowPrivate = access.allowPrivate || isLocal;
  const { proxies } = access;
  const pools = new UpstreamPools({ connectionsMax: 1, allowPrivate, proxies });
  try {
    const proxy = isLocal ? 'none' : access.proxy;
    const channel = { baseUrl: origin, allowPrivate, proxy, timeouts: TIMEOUTS };
    const reply = await askUpstream(
      pools,
      { channel, provider: { credentialHeaders: () => [] }, credential: null },
      {
        path: pathname + search,
        ...(form === undefined ? jsonBody(json) : formBody(form)),
        headers,
        stream: false,
        timeoutMs: TIMEOUT_MS,
        replyBytesMax: REPLY_BYTES_MAX,
      },
    );
    if ('failed' in reply) return { failed: `${host} did not reply: ${reply.detail}` };
    return { status: reply.status, body: reply.body };
  } finally {
    await pools.close();
  }
}

function jsonBody(json: object | undefined): {
  readonly method: 'GET' | 'POST';
  readonly body?: Buffer;
} {
  if (json === undefined) return { method: 'GET' };
  return { method: 'POST', body: Buffer.from(JSON.stringify(json)) };
}

function formBody(form: Readonly<Record<string, string>>): {
  readonly contentType: string;
  readonly body: Buffer;
} {
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: Buffer.from(new URLSearchParams(form).toString()),
  };
}
