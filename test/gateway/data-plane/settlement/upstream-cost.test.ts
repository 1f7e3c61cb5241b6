import { afterAll, beforeAll, expect, it } from 'vitest';
import { HANG_MS } from '../../../support/clocks/hang.ts';
import {
  costOf,
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from './support/billing-fixture.ts';

/** The operator's cost is in the record along with the customer's, or unknown. */
let billing: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture();
});
afterAll(() => billing.close());

const USAGE = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };

async function setFactor(customer: Customer, channel: number, ppm: number | null): Promise<void> {
  await billing.pool.query(
    `insert into upstream_price_factors (channel_id, effective_from, factor_ppm) values ($1, clock_timestamp(), $2)`,
    [customer.seeded.channelIds[channel], ppm],
  );
  await customer.republish();
}

async function costs(customer: Customer): Promise<(number | null)[]> {
  await customer.bill();
  const { rows } = await billing.pool.query<{ cost: number | null }>(
    `select upstream_cost_nano_usd as cost from usage_records where account_id = $1 order by created_at, request_id`,
    [customer.seeded.accountId],
  );
  return rows.map(({ cost }) => cost);
}

async function serve(customer: Customer, body: object = {}): Promise<void> {
  billing.first.behave('*', { kind: 'reply', usage: USAGE });
  await (await customer.send(body)).text();
}

it('is that of the moment at which a request was served, and stays', async () => {
  const customer = await billing.newCustomer();
  await serve(customer);
  await setFactor(customer, 0, 800_000);
  await serve(customer, { stream: true });
  await setFactor(customer, 0, 500_000);
  await serve(customer);
  await setFactor(customer, 0, null);
  await serve(customer);
  const list = costOf(1_000, 100);
  expect(await costs(customer)).toEqual([null, list * 0.8, list * 0.5, null]);
});

it('is that of the channel that delivered, after another has failed', async () => {
  const customer = await billing.newCustomer();
  await setFactor(customer, 0, 800_000);
  await setFactor(customer, 1, 100_000);
  billing.first.behave('*', { kind: 'status', status: 500, body: '{}' });
  billing.second.behave('*', { kind: 'reply', usage: USAGE });
  await (await customer.send()).text();
  expect(await costs(customer)).toEqual([costOf(1_000, 100) * 0.1]);
});

it('is the prompt of a request that its client has left, although it is billed nothing', async () => {
  const customer = await billing.newCustomer();
  await setFactor(customer, 0, 1_000_000);
  billing.first.behave('*', { kind: 'reply', headersDelayMs: HANG_MS });
  const leaving = new AbortController();
  const content = 'word '.repeat(400);
  const body = { messages: [{ role: 'user', content }] };
  const reply = customer.send(body, { signal: leaving.signal }).catch(() => undefined);
  await billing.first.untilRequests(1);
  leaving.abort();
  await reply;
  const { charged, records } = await customer.bill();
  expect(charged).toBe(0);
  expect(records).toMatchObject([{ cost: 0, status: 'client_disconnected' }]);
  const [cost] = await costs(customer);
  // Some 400 tokens, estimated from the bytes.
  expect(cost).toBeGreaterThan(costOf(300, 0));
  expect(cost).toBeLessThan(costOf(1_000, 0));
});

it('never reaches the client', async () => {
  const customer = await billing.newCustomer();
  await setFactor(customer, 0, 123_457);
  billing.first.behave('*', { kind: 'reply', usage: USAGE });
  const reply = await customer.send();
  const said = (await reply.text()) + JSON.stringify([...reply.headers]);
  const [cost] = await costs(customer);
  expect(cost).toBe(Math.ceil(costOf(1_000, 100) * 0.123457));
  expect(said).not.toContain(String(cost));
  expect(said.toLowerCase()).not.toContain('upstreamcost');
});
