import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EntryBatch } from '../../../../../gateway/request-history/request-history.ts';
import { startGatewayInProcess } from '../../../../support/gateway-in-process.ts';
import {
  openBillingFixture,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';

let billing: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture();
});

afterAll(async () => {
  await billing.close();
});

type Entry = Readonly<Record<string, unknown>>;

/** The entries that a gateway has made of what was sent to it, in the order in which they ended. */
async function entriesOf(send: (url: string) => Promise<unknown>): Promise<Entry[]> {
  const batches: EntryBatch[] = [];
  const { pool, databaseUrl } = billing;
  const onRequests = (batch: EntryBatch): unknown => batches.push(batch);
  const gateway = await startGatewayInProcess(
    { pool, databaseUrl, onRequests },
    (context) => context,
  );
  await send(gateway.url);
  await gateway.close();
  return batches.flatMap(({ json }) => JSON.parse(Buffer.from(json).toString()) as Entry[]);
}

it('keeps each failed attempt with the words of its upstream, also when another channel served', async () => {
  const customer = await billing.newCustomer();
  const error = { message: `CUDA out of memory (${customer.seeded.upstreamCredential})` };
  billing.first.behave('*', { kind: 'status', status: 502, body: { error } });
  const [entry] = await entriesOf(async (url) => {
    const reply = await customer.send({}, { url });
    expect(reply.status).toBe(200);
  });
  const [first, second] = customer.seeded.channelIds;
  expect(entry).toMatchObject({
    accountId: customer.seeded.accountId,
    model: customer.model,
    protocol: 'openai-chat',
    status: 'completed',
    httpStatus: 200,
    attempts: 2,
    channelId: second,
    failures: [{ number: 1, channelId: first, upstreamStatus: 502, failure: null }],
  });
  const [failure] = entry?.['failures'] as Entry[];
  expect(failure?.['message']).toBe('CUDA out of memory ([…])');
  expect(failure?.['durationMs']).toBeGreaterThanOrEqual(0);
});

it('keeps what every upstream said when none served, and what the client was told', async () => {
  const customer = await billing.newCustomer();
  billing.first.behave('*', { kind: 'status', status: 500, body: { error: { message: 'one' } } });
  billing.second.behave('*', { kind: 'status', status: 503, body: 'no healthy upstream' });
  const [entry] = await entriesOf((url) => customer.send({ stream: true }, { url }));
  expect(entry).toMatchObject({ refused: 'upstream_error', httpStatus: 502, status: 'failed' });
  expect(entry?.['message']).toContain('Nothing was charged');
  expect(entry?.['failures']).toMatchObject([
    { number: 1, upstreamStatus: 500, message: 'one' },
    { number: 2, upstreamStatus: 503, message: 'no healthy upstream' },
  ]);
});

it('keeps when the hold, each attempt, the reply and the settle began, in this order', async () => {
  const customer = await billing.newCustomer();
  billing.first.behave('*', { kind: 'status', status: 502, body: { error: { message: 'one' } } });
  const [entry] = await entriesOf(async (url) =>
    (await customer.send({ stream: true }, { url })).text(),
  );
  const [holdFromMs, heldMs, attemptFromMs, settleFromMs] = entry?.['phases'] as number[];
  const [failure] = entry?.['failures'] as { startedMs: number; durationMs: number }[];
  const times = [
    ...[0, holdFromMs, heldMs, failure?.startedMs, attemptFromMs],
    ...[entry?.['firstByteMs'], settleFromMs, entry?.['latencyMs']],
  ].map(Number);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect((failure?.startedMs ?? 0) + (failure?.durationMs ?? 0)).toBeLessThanOrEqual(
    attemptFromMs ?? 0,
  );
});

it('keeps no later step than the one that refused the request', async () => {
  const poor = await billing.newCustomer(0);
  const [refused, unread] = await entriesOf(async (url) => {
    await poor.send({}, { url });
    await poor.send({ messages: 'none' }, { url });
  });
  expect(refused?.['phases']).toEqual([expect.any(Number), expect.any(Number), null, null]);
  expect(unread).not.toHaveProperty('phases');
});

it('keeps the error in a stream that breaks midway', async () => {
  const customer = await billing.newCustomer();
  billing.first.behave('*', {
    kind: 'reply',
    pieces: 9,
    end: 'error_event',
    cutAfterEvents: 3,
    error: { message: 'the engine has died' },
  });
  const [entry] = await entriesOf(async (url) =>
    (await customer.send({ stream: true }, { url })).text(),
  );
  expect(entry).toMatchObject({
    status: 'upstream_disconnected',
    failures: [{ upstreamStatus: 200, message: 'the engine has died' }],
  });
});

it('keeps requests that were refused, from any sender and for any reason', async () => {
  const customer = await billing.newCustomer(0);
  const entries = await entriesOf(async (url) => {
    await customer.send({}, { url });
    await customer.send({ model: 'nobody-sells-this' }, { url });
    await customer.send({ messages: 'none' }, { url });
    await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-guessed0000000000000000000000000000000000' },
      body: '{}',
    });
    await fetch(`${url}/v1/nothing/here`);
    await fetch(`${url}/v1/models`);
  });
  expect(entries).toMatchObject([
    { refused: 'insufficient_balance', accountId: customer.seeded.accountId, httpStatus: 402 },
    { refused: 'model_not_found', accountId: customer.seeded.accountId, httpStatus: 404 },
    { refused: 'invalid_type', accountId: customer.seeded.accountId, httpStatus: 400 },
    {
      refused: 'invalid_api_key',
      address: '127.0.0.1',
      keyPrefix: 'sk-guesse',
    },
    { refused: 'unknown_url', address: '127.0.0.1' },
    { refused: 'missing_api_key', address: '127.0.0.1' },
  ]);
});

it.each([
  ['as JSON', (body: unknown) => `cannot parse ${JSON.stringify(body)}`],
  ['as it is', (_body: unknown, secret: string) => `cannot parse ${secret}, try again`],
])('keeps no prompt that an upstream quotes %s, and no key', async (_as, quote) => {
  const customer = await billing.newCustomer();
  const secret = 'the launch code is 0000-1111-2222-3333 and nobody may know';
  billing.first.behave('*', ({ body }) => ({
    kind: 'status',
    status: 400,
    body: { error: { message: quote(body, secret) } },
  }));
  const entries = await entriesOf((url) =>
    customer.send({ messages: [{ role: 'user', content: secret }] }, { url }),
  );
  const text = JSON.stringify(entries);
  expect(entries).toHaveLength(1);
  expect(text).toContain('cannot parse');
  expect(text).not.toContain(customer.seeded.key);
  expect(text).not.toContain(customer.seeded.upstreamCredential);
  expect(text).not.toContain('1111-2222-3333');
});
