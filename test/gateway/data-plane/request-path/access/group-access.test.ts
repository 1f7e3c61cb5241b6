/** Groups that are not for everybody: what a key of one gets at every endpoint, and its price. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../../../gateway/protocols/registry.ts';
import {
  costOf,
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';

let billing: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture();
});

afterAll(async () => {
  await billing.close();
});

async function setAccess(customer: Customer, access: 'public' | 'code' | 'chosen') {
  const { groupId } = customer.seeded;
  await billing.pool.query('update groups set access = $2 where id = $1', [groupId, access]);
  await customer.republish();
}

async function give({ seeded }: Customer, multiplierPpm: number | null = null): Promise<void> {
  await billing.pool.query(
    `insert into group_accounts (group_id, account_id, multiplier_ppm, joined_by)
     values ($1, $2, $3, 'operator')
     on conflict (account_id, group_id) do update set multiplier_ppm = excluded.multiplier_ppm`,
    [seeded.groupId, seeded.accountId, multiplierPpm],
  );
}

/** All that a client can call, as far as a path differs. */
const CALLS = [
  ...new Map(
    ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
  ).values(),
].map((endpoint) => {
  const { method, path, protocol } = endpoint;
  const isCloud = 'cloud' in endpoint;
  // Clients of clouds and Codex send a request again after a 403.
  return [
    method,
    path,
    protocol.id,
    isCloud || protocol.id === 'openai-responses' ? 400 : 403,
  ] as const;
});

describe('a key of a group that is not for its account', () => {
  let customer: Customer;

  beforeAll(async () => {
    customer = await billing.newCustomer();
    await setAccess(customer, 'chosen');
  });

  it.each(CALLS)(
    'is refused %s %s, and told what to do',
    async (method, path, protocol, status) => {
      const root = protocol === 'gemini' ? '/v1beta/' : '/v1/';
      const asked = path.replace('{model}', customer.model).replaceAll(/\{\w+\}/g, 'resp_1');
      const reply = await fetch(`${billing.url}${root}${asked}`, {
        method,
        headers: {
          authorization: `Bearer ${customer.seeded.key}`,
          'content-type': 'application/json',
        },
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
      });
      const text = await reply.text();
      expect([reply.status, text]).toEqual([
        status,
        expect.stringContaining('Choose another group for the key'),
      ]);
      expect(reply.headers.get('x-should-retry')).toBe('false');
      expect(billing.first.requests).toHaveLength(0);
      expect(await customer.bill()).toEqual({ charged: 0, records: [] });
    },
  );
});

it('a model of groups that are not for an account is as one that does not exist', async () => {
  const other = await billing.newCustomer();
  const customer = await billing.newCustomer();
  await setAccess(other, 'chosen');
  const ask = async (model: string) => {
    const reply = await customer.send({ model });
    const shown = await customer.get(`/v1/models/${model}`);
    return [reply.status, shown.status, await reply.text(), await shown.text()].map((part) =>
      typeof part === 'string' ? part.replaceAll(model, 'MODEL') : part,
    );
  };
  expect(await ask(other.model)).toEqual(await ask(`model-${randomUUID()}`));
});

it.each([
  ['public', 333_333],
  ['chosen', 2_500_000],
  ['code', 0],
] as const)(
  'an account with a price of its own in a %s group is held and billed at it, to the nanodollar',
  async (access, ppm) => {
    const customer = await billing.newCustomer();
    await give(customer, ppm);
    await setAccess(customer, access);
    expect((await customer.send()).status).toBe(200);
    const before = await customer.bill();
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
    billing.first.behave('*', { kind: 'reply', usage });
    const plain = await customer.sendAndLook({ max_tokens: 100 });
    const after = await customer.bill();
    const charged = after.charged - before.charged;
    expect(charged).toBe(Math.ceil((costOf(7, 3) * ppm) / 1_000_000));
    expect(plain.held).toBeGreaterThanOrEqual(charged);
    const { rows } = await billing.pool.query<{ ppm: number }>(
      'select multiplier_ppm as ppm from usage_records where account_id = $1',
      [customer.seeded.accountId],
    );
    expect(new Set(rows.map((row) => row.ppm))).toEqual(new Set([ppm]));
  },
);
