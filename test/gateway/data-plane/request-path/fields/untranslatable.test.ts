/** A request that no channel of a model can take is refused before the hold. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
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

const MESSAGES = [{ role: 'user', content: 'Hello' }];
const CONTENTS = [{ role: 'user', parts: [{ text: 'Hello' }] }];
/** The upstreams speak chat completions. */
const UNTRANSLATABLE = [
  ['an empty reply', '/v1/messages', { max_tokens: 0, messages: MESSAGES }],
  [
    'speech',
    '/v1beta/models/{model}:generateContent',
    { contents: CONTENTS, generationConfig: { speechConfig: {} } },
  ],
  ['log probabilities', '/v1/responses', { input: 'Hello', top_logprobs: 2 }],
] as const;

function post(customer: Customer, path: string, body: object): Promise<Response> {
  return fetch(billing.url + path.replace('{model}', customer.model), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer.seeded.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(path.includes('{model}') ? body : { model: customer.model, ...body }),
  });
}

it.each(UNTRANSLATABLE)(
  'refuses %s for its own sake, even to a customer without money',
  async (_what, path, body) => {
    const customer = await billing.newCustomer(0);
    const reply = await post(customer, path, body);
    expect([reply.status, await reply.text()]).toEqual([
      400,
      expect.stringMatching(/max_tokens|speechConfig|logprobs/),
    ]);
    expect(billing.first.requests).toHaveLength(0);
    expect(billing.second.requests).toHaveLength(0);
  },
);

it.each(UNTRANSLATABLE)('bills nothing for %s', async (_what, path, body) => {
  const customer = await billing.newCustomer();
  expect((await post(customer, path, body)).status).toBe(400);
  expect(await customer.bill()).toEqual({ charged: 0, records: [] });
});

it('serves it where another channel can be sent it as it is', async () => {
  const customer = await billing.newCustomer();
  const [, second] = customer.seeded.channelIds;
  await billing.pool.query(
    `update channels set kind = 'openai', protocols = '{openai-responses}' where id = $1`,
    [second],
  );
  await customer.republish();
  const reply = await post(customer, '/v1/responses', { input: 'Hello', top_logprobs: 2 });
  // The second channel's upstream has no such path: it was asked.
  expect(reply.status).not.toBe(400);
  expect(billing.first.requests).toHaveLength(0);
  expect(billing.second.requests).toHaveLength(1);
});
