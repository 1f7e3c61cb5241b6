import { createHmac } from 'node:crypto';
import {
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '@weir/shared/watch/alerts';
import { postJson } from './post-json.ts';

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
 * Returns the signature that a receiver verifies. The timestamp is signed too, so that an old
 * message cannot be replayed as new.
 */
function signWebhook(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

function headersOf({ secret, id, body }: Webhook): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    [WEBHOOK_ID_HEADER]: id,
    [WEBHOOK_TIMESTAMP_HEADER]: timestamp,
    [WEBHOOK_SIGNATURE_HEADER]: signWebhook(secret, timestamp, body),
  };
}

/** Sends a signed message once. Rejects with the reason unless the reply is 2xx. */
export async function postWebhook(webhook: Webhook): Promise<void> {
  const { url, body, allowPrivate, timeoutMs } = webhook;
  const headers = headersOf(webhook);
  const { status } = await postJson({ url, headers, body, allowPrivate, timeoutMs });
  if (status < 200 || status >= 300) throw new Error(`HTTP ${status}`);
}
