import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../support/clocks/hang.ts';
import {
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../settlement/support/billing-fixture.ts';

const COMMENT = /^(: keep-alive\n\n)+/;
/** An upstream had the request, and its client left before any output. */
const ABANDONED = { charged: 0, records: [{ cost: 0, status: 'client_disconnected' }] };

let billing: BillingFixture;
let patientTill: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture({ KEEP_ALIVE_COMMENT_MS: '100' });
  patientTill = await openBillingFixture({ KEEP_ALIVE_COMMENT_MS: '60000' });
});

afterAll(async () => {
  await billing.close();
  await patientTill.close();
});

it('a stream whose upstream refuses it before a comment is due has the status of the refusal', async () => {
  const customer = await patientTill.newCustomer();
  const gate = await customer.gate();
  patientTill.first.behave('*', { kind: 'status', status: 400 });
  const asked = customer.send({ stream: true });
  await until('the upstream is asked', () => gate.waiting() === 1);
  await untilATickOf(billing);
  gate.open();
  const reply = await asked;
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ error: { code: 'upstream_rejected' } });
  expect(await customer.bill()).toEqual({ charged: 0, records: [] });
});

describe('a stream whose upstream is late with its head', () => {
  it('begins with comments, and goes on as any other', async () => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'reply', pieces: ['Hi'] });
    const reply = await sendLate(customer);
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const text = await reply.text();
    expect(text).toMatch(COMMENT);
    expect(text).toContain('"Hi"');
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    const { records } = await customer.bill();
    expect(records).toMatchObject([{ status: 'completed', attempts: 1 }]);
  });

  it('ends in an error event when it is refused, and costs nothing', async () => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'status', status: 400 });
    const reply = await sendLate(customer);
    expect(reply.status).toBe(200);
    const text = await reply.text();
    expect(text).toMatch(COMMENT);
    const [, event = ''] = /^data: (.*)\n\n/m.exec(text.replace(COMMENT, '')) ?? [];
    expect(JSON.parse(event)).toMatchObject({ error: { code: 'upstream_rejected' } });
    expect(await customer.bill()).toEqual({ charged: 0, records: [] });
  });

  it('is taken over by the next channel when the first fails', async () => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'status', status: 503 });
    billing.second.behave('*', { kind: 'reply', pieces: ['Hi'] });
    const text = await (await sendLate(customer)).text();
    expect(text).toMatch(COMMENT);
    expect(text).toContain('"Hi"');
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    const { records } = await customer.bill();
    expect(records).toMatchObject([{ status: 'completed', attempts: 2 }]);
  });

  it('counts as answered with 200 when its client leaves after a comment', async () => {
    const customer = await billing.newCustomer();
    const before = await answered();
    await customer.gate();
    const leaving = new AbortController();
    const reply = await customer.send({ stream: true }, { signal: leaving.signal });
    expect(reply.status).toBe(200);
    leaving.abort();
    expect(await customer.bill()).toMatchObject(ABANDONED);
    await expect.poll(answered).toBe(before + 1);
  });
});

it('a stream whose client leaves after a comment, and before any content, costs nothing', async () => {
  const customer = await billing.newCustomer();
  // The role alone: the relay is under way, and has nothing to pass on.
  billing.first.behave('*', { kind: 'reply', end: 'hang', cutAfterEvents: 1 });
  const leaving = new AbortController();
  const reply = await customer.send({ stream: true }, { signal: leaving.signal });
  expect(reply.status).toBe(200);
  leaving.abort();
  expect(await customer.bill()).toMatchObject(ABANDONED);
  await billing.first.requests[0]?.closed;
  expect(billing.first.requests[0]?.outcome).toBe('client_disconnected');
});

/** The upstream gets the request when a comment has begun the reply. */
async function sendLate(customer: Customer): Promise<Response> {
  const gate = await customer.gate();
  const reply = await customer.send({ stream: true });
  gate.open();
  return reply;
}

/** Comments come with a tick, once a second in each gateway. */
async function untilATickOf(other: BillingFixture): Promise<void> {
  const customer = await other.newCustomer();
  await customer.gate();
  const leaving = new AbortController();
  await customer.send({ stream: true }, { signal: leaving.signal });
  leaving.abort();
  await customer.bill();
}

async function answered(): Promise<number> {
  const { statuses } = await billing.counted();
  return statuses[200] ?? 0;
}
