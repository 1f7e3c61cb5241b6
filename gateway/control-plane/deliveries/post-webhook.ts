import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '@weir/shared/alerts';
import {
  guardedLookup,
  isPrivateAddress,
  openLookup,
} from '../../data-plane/upstream/address-guard.ts';

/** For all of it: connecting, sending, and the reply's head. */
const TIMEOUT_MS = 10_000;

export interface Webhook {
  readonly url: string;
  readonly secret: string;
  /** The same for every attempt, so that a receiver can drop what it has seen. */
  readonly id: string;
  readonly body: string;
  readonly allowPrivate: boolean;
  readonly timeoutMs?: number;
}

/**
 * What a receiver computes again: the timestamp is signed too, so that an old message cannot be
 * replayed as new.
 */
function signWebhook(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

function headersOf({ secret, id, body }: Webhook): Record<string, string | number> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Weir',
    [WEBHOOK_ID_HEADER]: id,
    [WEBHOOK_TIMESTAMP_HEADER]: timestamp,
    [WEBHOOK_SIGNATURE_HEADER]: signWebhook(secret, timestamp, body),
  };
}

/**
 * Sends a signed message once. Rejects with the reason unless the reply is 2xx: a redirect is not
 * followed, because it could lead to a private address or take the message to another receiver.
 */
export async function postWebhook(webhook: Webhook): Promise<void> {
  const { url: address, body, allowPrivate, timeoutMs = TIMEOUT_MS } = webhook;
  const url = new URL(address);
  // An address in numbers is never looked up, so the guard of names does not see it.
  if (!allowPrivate && isPrivateAddress(url.hostname)) {
    throw new Error(`${url.hostname} is a private address`);
  }
  const status = await new Promise<number>((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: headersOf(webhook),
      // A connection of its own: a kept one could lead where this webhook may not go.
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
      resolve(response.statusCode ?? 0);
      // The body says nothing that is acted on, and may be endless.
      response.destroy();
    });
    request.end(body);
  });
  if (status >= 300 && status < 400) throw new Error(`HTTP ${status}: redirects are not followed`);
  if (status < 200 || status >= 300) throw new Error(`HTTP ${status}`);
}
