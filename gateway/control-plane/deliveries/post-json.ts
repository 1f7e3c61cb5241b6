import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  guardedLookup,
  isPrivateAddress,
  openLookup,
} from '../../data-plane/upstream/address-guard.ts';

/** For all of it: connecting, sending, and the reply. */
const TIMEOUT_MS = 10_000;
/** A reply is read this far: enough for an error's words. It may be endless. */
const REPLY_BYTES_MAX = 4_096;

export interface JsonPost {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowPrivate: boolean;
  readonly timeoutMs?: number | undefined;
}

export interface PostReply {
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;
}

/**
 * Posts JSON once. Rejects with the reason if no reply comes. A redirect is not followed, because
 * it could lead to a private address or take the message to another receiver.
 */
export async function postJson(post: JsonPost): Promise<PostReply> {
  const { url: address, headers, body, allowPrivate, timeoutMs = TIMEOUT_MS } = post;
  const url = new URL(address);
  // An address in numbers is never looked up, so the guard of names does not see it.
  if (!allowPrivate && isPrivateAddress(url.hostname)) {
    throw new Error(`${url.hostname} is a private address`);
  }
  const reply = await new Promise<PostReply>((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Weir',
        ...headers,
      },
      // A connection of its own: a kept one could lead where this message may not go.
      agent: false,
      lookup: allowPrivate ? openLookup : guardedLookup,
      signal: AbortSignal.timeout(timeoutMs),
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.name === 'AbortError') reject(new Error(`no reply within ${timeoutMs} ms`));
      // Of a name with several addresses, the error has a code and no message.
      else reject(error.message === '' ? new Error(error.code ?? error.name) : error);
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const read: Buffer[] = [];
      let bytes = 0;
      const finish = (): void => {
        resolve({ status, text: Buffer.concat(read).subarray(0, REPLY_BYTES_MAX).toString() });
        response.destroy();
      };
      response.on('data', (piece: Buffer) => {
        read.push(piece);
        bytes += piece.length;
        if (bytes >= REPLY_BYTES_MAX) finish();
      });
      response.on('end', finish);
      // The status has come, and is what counts.
      response.on('error', finish);
    });
    request.end(body);
  });
  if (reply.status >= 300 && reply.status < 400) {
    throw new Error(`HTTP ${reply.status}: redirects are not followed`);
  }
  return reply;
}
