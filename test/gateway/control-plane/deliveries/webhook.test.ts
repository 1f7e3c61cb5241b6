import { createHmac, timingSafeEqual } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  postWebhook,
  type Webhook,
} from '../../../../gateway/control-plane/deliveries/post-webhook.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/fakes/webhook-receiver.ts';

let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.statuses.length = 0;
});
afterAll(() => receiver.close());

const webhook = (parts: Partial<Webhook> = {}): Webhook => ({
  url: receiver.url,
  secret: 'weir_whs_secret',
  id: 'an-id',
  body: '{"text":"ünïcode 告警"}',
  allowPrivate: true,
  ...parts,
});

/** Verifies a webhook as docs/operations.md describes. */
function isGenuine(secret: string): boolean {
  const [got] = receiver.received;
  if (got === undefined) return false;
  const timestamp = String(got.headers['weir-timestamp']);
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.${got.body}`).digest('hex');
  const sent = String(got.headers['weir-signature']).replace(/^v1=/, '');
  return (
    sent.length === expected.length && timingSafeEqual(Buffer.from(sent), Buffer.from(expected))
  );
}

describe('a webhook', () => {
  it('can be verified by its receiver, with its own secret alone', async () => {
    await postWebhook(webhook());
    expect(receiver.received[0]?.body).toBe('{"text":"ünïcode 告警"}');
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'weir-delivery': 'an-id',
    });
    expect(isGenuine('weir_whs_secret')).toBe(true);
    expect(isGenuine('weir_whs_other')).toBe(false);
  });

  it('follows no redirect', async () => {
    receiver.statuses.push(302);
    await expect(postWebhook(webhook())).rejects.toThrow('HTTP 302: redirects are not followed');
    expect(receiver.received).toHaveLength(1);
  });

  it.each([400, 404, 500, 503])('that is answered %i has not arrived', async (status) => {
    receiver.statuses.push(status);
    await expect(postWebhook(webhook())).rejects.toThrow(`HTTP ${String(status)}`);
  });

  it('waits for a silent receiver no longer than it may', async () => {
    receiver.statuses.push(null);
    await expect(postWebhook(webhook({ timeoutMs: 50 }))).rejects.toThrow('no reply within 50 ms');
  });

  it.each(['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1', '[::ffff:127.0.0.1]'])(
    'does not reach %s unless the operator allows it',
    async (host) => {
      const url = new URL(receiver.url);
      await expect(
        postWebhook(webhook({ url: `http://${host}:${url.port}/`, allowPrivate: false })),
      ).rejects.toThrow(/private address/);
      expect(receiver.received).toEqual([]);
    },
  );

  it('to nobody says why', async () => {
    await expect(postWebhook(webhook({ url: 'http://127.0.0.1:1/' }))).rejects.toThrow(
      /ECONNREFUSED/,
    );
  });
});
