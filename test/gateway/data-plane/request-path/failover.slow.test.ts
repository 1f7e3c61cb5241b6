import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChannelHealth } from '../../../../gateway/data-plane/routing/health/channel-health.ts';
import {
  NO_OUTCOMES,
  type ChannelOutcomes,
} from '../../../../gateway/data-plane/routing/health/channel-outcomes.ts';
import { seal } from '../../../../gateway/platform/secrets/secrets.ts';
import type { Behaviour } from '../../../support/upstreams/fake-upstream.ts';
import { startGatewayInProcess } from '../../../support/gateway-in-process.ts';
import { until } from '../../../support/clocks/hang.ts';
import { seedModel, TEST_SECRETS } from '../../../support/seed.ts';
import {
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../settlement/support/billing-fixture.ts';

/** More than it takes to rest a channel. */
const REQUESTS = 6;

let billing: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture();
});

afterAll(async () => {
  await billing.close();
});

const MISTAKE = { code: 400, type: 'BadRequestError', message: 'no such tool' };

it.each([
  ['an event', { kind: 'reply', end: 'error_event', cutAfterEvents: 0, error: MISTAKE }],
  ['JSON', { kind: 'status', status: 200, body: { error: MISTAKE } }],
] as const)(
  'tells of a mistake that comes as %s under 200, and rests no channel',
  async (_as, behaviour) => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', behaviour);
    for (let sent = 1; sent <= REQUESTS; sent += 1) {
      const reply = await customer.send({ stream: true });
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ error: { message: 'no such tool' } });
      expect(billing.first.requests).toHaveLength(sent);
    }
    expect(billing.second.requests).toHaveLength(0);
  },
);

it('tells of a mistake with the name by which the client knows the model', async () => {
  const customer = await billing.newCustomer();
  await billing.pool.query('update channel_models set upstream_name = $2 where channel_id = $1', [
    customer.seeded.channelIds[0],
    'vendor/model-1',
  ]);
  await customer.republish();
  const error = { ...MISTAKE, message: 'no tools with vendor/model-1' };
  billing.first.behave('*', { kind: 'status', status: 400, body: { error } });
  const reply = await customer.send({});
  expect(await reply.json()).toMatchObject({
    error: { message: `no tools with ${customer.model}` },
  });
});

/** A request unlike all others: the same one that fails again is no evidence. */
function unlike(sent: number): object {
  return { messages: [{ role: 'user', content: `request ${sent}` }] };
}

it('rests a channel whose streams break midway again and again', async () => {
  const customer = await billing.newCustomer();
  billing.first.behave('*', { kind: 'reply', pieces: 9, end: 'reset', cutAfterEvents: 3 });
  for (let sent = 1; sent < REQUESTS; sent += 1) {
    const text = await (await customer.send({ stream: true, ...unlike(sent) })).text();
    expect(text).toContain('"code":"upstream_error"');
    expect(billing.first.requests).toHaveLength(sent);
  }
  expect(billing.second.requests).toHaveLength(0);
  expect(await (await customer.send({ stream: true })).text()).toContain('[DONE]');
  expect(billing.first.requests).toHaveLength(REQUESTS - 1);
  expect(billing.second.requests).toHaveLength(1);
});

/**
 * A customer whose first channel has a second credential, which no other channel has: it rests for
 * itself.
 */
async function withSpareCredential(): Promise<Customer & { readonly spare: string }> {
  const spare = `spare-${randomUUID()}`;
  const customer = await billing.newCustomer();
  await billing.pool.query(
    'insert into channel_credentials (id, channel_id, sealed) values ($1, $2, $3)',
    [randomUUID(), customer.seeded.channelIds[0], seal(TEST_SECRETS, spare)],
  );
  await customer.republish();
  return { ...customer, spare };
}

it.each([
  ['refuses', 401],
  ['limits', 429],
])('uses the other credential of a channel while its upstream %s one', async (_does, status) => {
  const customer = await withSpareCredential();
  billing.first.behave('*', ({ headers }) =>
    headers['authorization'] === `Bearer ${customer.spare}`
      ? { kind: 'reply' }
      : { kind: 'status', status, retryAfter: '60' },
  );
  for (let sent = 1; sent <= REQUESTS; sent += 1) {
    expect((await customer.send()).status).toBe(200);
  }
  expect(billing.second.requests).toHaveLength(0);
  // Once at most before the bad one rests.
  expect(billing.first.requests.length).toBeLessThanOrEqual(REQUESTS + 1);
});

it('takes the next channel when all credentials of the first are refused', async () => {
  const customer = await withSpareCredential();
  billing.first.behave('*', { kind: 'status', status: 401 });
  expect((await customer.send()).status).toBe(200);
  const used = billing.first.requests.map(({ headers }) => headers['authorization']);
  expect(used.toSorted()).toEqual(
    [`Bearer ${customer.spare}`, `Bearer ${customer.seeded.upstreamCredential}`].toSorted(),
  );
  expect(billing.second.requests).toHaveLength(1);
});

async function outcomesOf({ seeded }: Customer): Promise<ChannelOutcomes> {
  const { channels } = await billing.counted();
  const first = channels.find(({ channelId }) => channelId === seeded.channelIds[0]);
  return first?.outcomes ?? NO_OUTCOMES;
}

const says = (status: number, message: string): Behaviour => ({
  kind: 'status',
  status,
  body: { error: { message } },
});

it.each<[string, Behaviour, string | null, number | null]>([
  ['of the upstream', says(502, 'CUDA out of memory'), 'CUDA out of memory', 502],
  ['of a page', { kind: 'status', status: 502, body: '<p>Bad  gateway' }, 'Bad gateway', 502],
  ['of a missing model', says(404, 'no such model'), 'no such model', 404],
  ['of no reply', { kind: 'reply', end: 'reset', cutAfterEvents: 0 }, '', null],
  ['that it was no reply', { kind: 'status', status: 200, body: {} }, 'not a reply', null],
  ['that a limit passes, which is none', says(429, 'slow down'), null, null],
  ['that the request is at fault, which is none', says(400, 'no such tool'), null, null],
])('keeps the words %s for the operator', async (_name, behaviour, message, httpStatus) => {
  const customer = await billing.newCustomer();
  billing.first.behave('*', behaviour);
  await customer.send();
  const { lastFailure } = await outcomesOf(customer);
  expect(lastFailure?.httpStatus).toBe(message === null ? undefined : httpStatus);
  expect(lastFailure?.message ?? '').toContain(message ?? '');
});

it('counts failures in a row, until a request succeeds', async () => {
  const customer = await billing.newCustomer();
  billing.first.behave('*', says(502, 'CUDA out of memory'));
  await customer.send();
  await customer.send();
  expect((await outcomesOf(customer)).failedAtMs).toHaveLength(2);
  billing.first.reset();
  await customer.send();
  expect(await outcomesOf(customer)).toMatchObject({ failedAtMs: [], lastFailure: null });
});

it('keeps no credential that the upstream repeats', async () => {
  const customer = await billing.newCustomer();
  const { upstreamCredential } = customer.seeded;
  billing.first.behave('*', says(401, `wrong key ${upstreamCredential}`));
  await customer.send();
  expect((await outcomesOf(customer)).lastFailure?.message).toBe('wrong key […]');
});

it('rests a channel all of whose credentials are refused again and again', async () => {
  const customer = await withSpareCredential();
  billing.first.behave('*', { kind: 'status', status: 401 });
  for (let sent = 1; sent <= REQUESTS; sent += 1) {
    expect((await customer.send(unlike(sent))).status).toBe(200);
  }
  const { channels } = await billing.counted();
  const first = channels.find(({ channelId }) => channelId === customer.seeded.channelIds[0]);
  expect(['open', 'half_open']).toContain(first?.state);
});

it('uses a limited credential again as soon as its upstream said, not a minute later', async () => {
  const customer = await withSpareCredential();
  let nowMs = 0;
  const gateway = await startGatewayInProcess(billing, (context) => ({
    ...context,
    health: new ChannelHealth(() => nowMs),
  }));
  let limited = 0;
  billing.first.behave('*', ({ headers }) => {
    if (headers['authorization'] === `Bearer ${customer.spare}`) return { kind: 'reply' };
    limited += 1;
    return { kind: 'status', status: 429, retryAfter: '1' };
  });
  const send = async (): Promise<void> => {
    expect((await customer.send({}, { url: gateway.url })).status).toBe(200);
  };
  // Either credential may be taken.
  while (limited === 0) await send();
  nowMs = 999;
  for (let sent = 0; sent < 10; sent += 1) await send();
  expect(limited).toBe(1);
  nowMs = 1_000;
  await until('the limited one is used again', async () => {
    await send();
    return limited === 2;
  });
  await gateway.close();
});

it('leaves a channel alone for the model that it limits, and for no other', async () => {
  const customer = await billing.newCustomer();
  const other = `model-${randomUUID()}`;
  const { groupId, channelIds } = customer.seeded;
  await seedModel(billing.pool, {}, { publicId: other, groupId, channelIds });
  await customer.republish();
  billing.first.behave(customer.model, { kind: 'status', status: 429, retryAfter: '60' });
  for (const model of [customer.model, customer.model, other, other]) {
    expect((await customer.send({ model })).status).toBe(200);
  }
  const asked = (upstream: typeof billing.first) => upstream.requests.map(({ model }) => model);
  expect(asked(billing.first)).toEqual([customer.model, other, other]);
  expect(asked(billing.second)).toEqual([customer.model, customer.model]);
  const { channels } = await billing.counted();
  expect(channels.find(({ channelId }) => channelId === channelIds[0])).toMatchObject({
    state: 'closed',
    limitedModels: [{ upstreamModel: customer.model }],
  });
});

it('passes a channel over that takes whole requests and says nothing, and cuts none of them off', async () => {
  const customer = await billing.newCustomer();
  const firstByteMs = 100;
  await billing.pool.query('update channels set first_byte_timeout_ms = $2 where id = $1', [
    customer.seeded.channelIds[0],
    firstByteMs,
  ]);
  await customer.republish();
  // Counted from now on.
  expect((await customer.send()).status).toBe(200);
  const gate = await customer.gate();
  const waiting = Array.from({ length: 5 }, () => customer.send());
  await expect.poll(() => gate.waiting()).toBe(5);
  const [first] = customer.seeded.channelIds;
  await expect
    .poll(async () =>
      (await billing.counted()).channels.find(({ channelId }) => channelId === first),
    )
    .toMatchObject({ state: 'open' });
  expect((await customer.send()).status).toBe(200);
  expect(billing.second.requests).toHaveLength(1);
  gate.open();
  const replies = await Promise.all(waiting);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await customer.send()).status).toBe(200);
  expect(billing.second.requests).toHaveLength(1);
});
