import { Pool, ProxyAgent, type Dispatcher } from 'undici';
import { textFault } from '@weir/shared/api/text-faults';
import type { ChannelEntry } from '../../catalog/snapshot.ts';
import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import { StoredBody } from '../../platform/multipart/stored-body.ts';
import type { UnsignedRequest } from '../../providers/provider.ts';
import { guardedLookup, isPrivateAddress, openLookup } from './address-guard.ts';
import { buildReadingConnector } from './reading-connector.ts';
import { chooseProxy, NO_PROXIES, type ProxySettings } from './choose-proxy.ts';
import { UpstreamCall } from './upstream-call.ts';

export interface UpstreamOptions {
  readonly connectionsMax: number;
  readonly allowPrivate: boolean;
  /** Those of the process; none when absent. */
  readonly proxies?: ProxySettings;
}

/**
 * An idle connection to an upstream is kept this long; most servers close theirs after 60 s or
 * more.
 */
const KEEP_ALIVE_MS = 30_000;
/** However long an upstream asks for. */
const KEEP_ALIVE_MS_MAX = 300_000;
/**
 * A connection that has been silent for this long is probed, so that one whose other end has gone
 * is found within a minute, however patient the channel is.
 */
const TCP_KEEP_ALIVE_MS = 30_000;
/** undici's word for a time-out that is not to be. */
const NO_TIMEOUT = 0;
/** TLS sessions kept per origin so that a new connection is cheap. */
const TLS_SESSIONS_MAX = 100;
const HEADER_BYTES_MAX = 64 * 1024;
const CONTENT_TYPE = 'application/json';

interface Origin {
  readonly dispatcher: Dispatcher;
  /** The upstream's own origin, also behind a proxy. */
  readonly origin: string;
  readonly host: string;
  /** The path of the base address, without a trailing slash. */
  readonly basePath: string;
  /** The query of the base address, with its "?", or nothing. */
  readonly search: string;
}

/** A request to an upstream. */
export interface UpstreamRequest {
  /** POST unless it says otherwise. */
  readonly method?: 'GET' | 'DELETE' | 'POST';
  /** Behind the channel's base address, with a leading slash. */
  readonly path: string;
  /** Names and values in turn of additional headers, such as the credential. */
  readonly headers: readonly string[];
  /** The media type of the reply; absent: JSON, or server-sent events of a stream. */
  readonly accept?: string;
  readonly body?: Buffer | StoredBody;
  /** The body's media type; absent: JSON. */
  readonly contentType?: string;
  /** The reply is to be streamed. */
  readonly stream: boolean;
  /** The connection is to become a WebSocket; see `UpstreamSocket`. */
  readonly upgrade?: true;
}

/** Where requests go, and how. */
export type UpstreamPlace = Pick<ChannelEntry, 'baseUrl' | 'allowPrivate' | 'proxy' | 'timeouts'>;

/**
 * One undici pool per upstream origin and connect time-out, or agent per proxy; the only place that
 * opens connections to upstreams.
 */
export class UpstreamPools {
  readonly #options: UpstreamOptions;
  readonly #pools = new Map<string, Dispatcher>();
  readonly #origins = new WeakMap<UpstreamPlace, Origin>();

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /**
   * Sends a request. The channel's time-outs for the first byte and for silence are for streams: of
   * a reply that is whole nothing comes before its last word has been made, so that only its total
   * time bounds it.
   */
  send(channel: UpstreamPlace, request: UpstreamRequest): UpstreamCall {
    const { method = 'POST', path, body = null, stream } = request;
    const call = new UpstreamCall();
    const origin = this.#origin(channel);
    if ('failed' in origin) {
      call.abort(origin);
      return call;
    }
    call.dispatch(origin.dispatcher, {
      origin: origin.origin,
      path: pathAt(origin, path),
      method,
      headers: requestHeaders(request),
      body,
      upgrade: request.upgrade === true ? 'websocket' : null,
      headersTimeout: stream ? channel.timeouts.firstByteMs : NO_TIMEOUT,
      bodyTimeout: stream ? channel.timeouts.idleMs : NO_TIMEOUT,
    });
    return call;
  }

  /** Returns what of a request a signature covers; undefined where it cannot be sent. */
  unsigned(channel: UpstreamPlace, request: UpstreamRequest): UnsignedRequest | undefined {
    const origin = this.#origin(channel);
    if ('failed' in origin) return undefined;
    const { method = 'POST', path, body, contentType = CONTENT_TYPE } = request;
    const { host } = origin;
    // No cloud that signs bodies takes forms.
    if (body instanceof StoredBody) return undefined;
    return { method, host, path: pathAt(origin, path), contentType, body };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  #origin(channel: UpstreamPlace): Origin | UpstreamFailure {
    const known = this.#origins.get(channel);
    if (known !== undefined) return known;
    if (!URL.canParse(channel.baseUrl)) return addressFault('base address', channel.baseUrl);
    const url = new URL(channel.baseUrl);
    const allowPrivate = channel.allowPrivate || this.#options.allowPrivate;
    // An address that is written out is never looked up, so the guarded lookup would not see it.
    if (!allowPrivate && isPrivateAddress(url.hostname)) {
      const detail = `${url.hostname} is a private address and the channel may not use one`;
      return { failed: 'address_refused', detail };
    }
    const proxy = chooseProxy(url, channel.proxy, this.#options.proxies ?? NO_PROXIES);
    if (proxy !== null && !URL.canParse(proxy)) return addressFault('proxy', proxy);
    const dispatcher =
      proxy === null
        ? this.#pool(url.origin, channel.timeouts.connectMs, allowPrivate)
        : this.#proxy(proxy, channel.timeouts.connectMs);
    const basePath = url.pathname.replace(/\/+$/, '');
    const { origin: at, host, search } = url;
    const origin = { dispatcher, origin: at, host, basePath, search };
    this.#origins.set(channel, origin);
    return origin;
  }

  /** The proxy looks names up: which of them are private it alone knows. */
  #proxy(uri: string, connectTimeoutMs: number): Dispatcher {
    const name = `proxy ${uri} ${connectTimeoutMs}`;
    let agent = this.#pools.get(name);
    if (agent === undefined) {
      agent = new ProxyAgent({
        uri,
        connections: this.#options.connectionsMax,
        pipelining: 1,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS_MAX,
        maxHeaderSize: HEADER_BYTES_MAX,
        connectTimeout: connectTimeoutMs,
        proxyTls: { keepAlive: true, keepAliveInitialDelay: TCP_KEEP_ALIVE_MS },
        strictContentLength: true,
        allowH2: false,
      });
      this.#pools.set(name, agent);
    }
    return agent;
  }

  #pool(origin: string, connectTimeoutMs: number, allowPrivate: boolean): Dispatcher {
    const name = `${origin} ${connectTimeoutMs} ${allowPrivate ? 'private' : 'public'}`;
    let pool = this.#pools.get(name);
    if (pool === undefined) {
      pool = new Pool(origin, {
        connections: this.#options.connectionsMax,
        pipelining: 1,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS_MAX,
        maxHeaderSize: HEADER_BYTES_MAX,
        allowH2: false,
        strictContentLength: true,
        connect: buildReadingConnector({
          timeout: connectTimeoutMs,
          keepAlive: true,
          keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
          allowH2: false,
          maxCachedSessions: TLS_SESSIONS_MAX,
          lookup: allowPrivate ? openLookup : guardedLookup,
        }),
      });
      this.#pools.set(name, pool);
    }
    return pool;
  }
}

function addressFault(what: string, address: string): UpstreamFailure {
  const fault = textFault(address, 'ascii') ?? 'is no address.';
  return {
    failed: 'address_unusable',
    detail: `The ${what} of this channel ${fault} Enter it again on the channel’s page.`,
  };
}

/** The query of the base address goes behind that of the path. */
function pathAt({ basePath, search }: Origin, path: string): string {
  const query = path.includes('?') ? search.replace('?', '&') : search;
  return basePath + path + query;
}

function requestHeaders({
  stream,
  accept,
  contentType = CONTENT_TYPE,
  headers,
  body,
  upgrade,
}: UpstreamRequest): string[] {
  if (upgrade === true) return ['user-agent', 'weir', ...headers];
  const usual = stream ? 'text/event-stream' : 'application/json';
  // Of a body that is no buffer, undici does not know the length.
  const length = body instanceof StoredBody ? ['content-length', String(body.length)] : [];
  return [
    ...length,
    'content-type',
    contentType,
    'accept',
    accept ?? usual,
    'accept-encoding',
    'identity',
    'user-agent',
    'weir',
    ...headers,
  ];
}
