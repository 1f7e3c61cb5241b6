import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  guardedLookup,
  isPrivateAddress,
  openLookup,
} from '../../../data-plane/upstream/address-guard.ts';

/** A person waits for the reply. */
const TIMEOUT_MS = 10_000;
/** Key sets and discovery documents are a few kilobytes. */
const REPLY_BYTES_MAX = 1_000_000;

interface FetchOptions {
  readonly method?: string | undefined;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

export type Fetch = (url: string, options: FetchOptions) => Promise<Response>;

const WITHOUT_BODY = new Set([204, 205, 304]);

function textOf(body: unknown): string {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('a provider is only sent forms and texts');
}

/**
 * Makes a `fetch` for libraries that call identity providers. It connects to no private address
 * unless that is allowed, follows no redirect, and reads a bounded reply.
 */
export function guardedFetch({ allowPrivate }: { readonly allowPrivate: boolean }): Fetch {
  return async (address, { method = 'GET', headers, body, signal }) => {
    const url = new URL(address);
    // An address in numbers is never looked up, so the guard of names does not see it.
    if (!allowPrivate && isPrivateAddress(url.hostname)) {
      throw new Error(`${url.hostname} is a private address`);
    }
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    const text = textOf(body);
    const fields = { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'Weir' };
    return new Promise<Response>((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method,
        headers: { ...fields, 'content-length': Buffer.byteLength(text) },
        // A connection of its own: a kept one could lead where this request may not go.
        agent: false,
        lookup: allowPrivate ? openLookup : guardedLookup,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      request.on('error', reject);
      request.on('response', (reply) => {
        const read: Buffer[] = [];
        let bytes = 0;
        reply.on('error', reject);
        reply.on('data', (piece: Buffer) => {
          read.push(piece);
          bytes += piece.length;
          if (bytes > REPLY_BYTES_MAX) reply.destroy(new Error('the reply is too long'));
        });
        reply.on('end', () => {
          const status = reply.statusCode ?? 0;
          const contentType = reply.headers['content-type'];
          const content = WITHOUT_BODY.has(status) ? null : Buffer.concat(read);
          const known = contentType === undefined ? {} : { 'content-type': contentType };
          resolve(new Response(content, { status, headers: known }));
        });
      });
      request.end(text);
    });
  };
}
