/** Requests of which an upstream refuses several things, one at a time and in any order. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openBillingFixture,
  type BillingFixture,
  type Customer,
} from '../settlement/support/billing-fixture.ts';
import {
  hasField,
  startAdviceRefuser,
  TOOL_NAMES,
  type AdviceRefuser,
} from './support/advice-refuser.ts';

let billing: BillingFixture;
let upstream: AdviceRefuser;

beforeAll(async () => {
  billing = await openBillingFixture();
  upstream = await startAdviceRefuser();
});

afterAll(async () => {
  await billing.close();
  await upstream.close();
});

/** Times that a request is sent again without a field; the last time without all advice. */
const FIELD_RETRIES = 6;
/** No run needs many: all orders of a few checks are alike. */
const RUNS = 6;

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };
const WILD_NAME = 'proxy/exec';

/** A client's request, the protocol of its upstream, and the advice that its upstream gets. */
interface Row {
  readonly name: string;
  readonly path: string;
  readonly upstream: 'openai-chat' | 'openai-responses';
  readonly body: object;
  readonly advice: readonly string[];
}

const CHAT_BODY = {
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [{ type: 'function', function: { name: WILD_NAME, parameters: SCHEMA, strict: false } }],
  temperature: 0.5,
  top_p: 0.9,
  seed: 1,
  user: 'u',
  store: false,
  metadata: { a: 'b' },
  parallel_tool_calls: false,
  prompt_cache_key: 'k',
};

const ROWS: readonly Row[] = [
  {
    name: 'chat over chat',
    path: '/v1/chat/completions',
    upstream: 'openai-chat',
    body: CHAT_BODY,
    advice: [
      'temperature',
      'top_p',
      'seed',
      'user',
      'store',
      'metadata',
      'parallel_tool_calls',
      'prompt_cache_key',
      'tools.function.strict',
      'stream',
    ],
  },
  {
    name: 'Responses over Responses',
    path: '/v1/responses',
    upstream: 'openai-responses',
    body: {
      input: 'Hello',
      tools: [{ type: 'function', name: WILD_NAME, parameters: SCHEMA, strict: false }],
      parallel_tool_calls: true,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'low' },
      include: ['reasoning.encrypted_content'],
      store: false,
      prompt_cache_key: 'k',
      metadata: { a: 'b' },
    },
    advice: [
      'parallel_tool_calls',
      'reasoning.effort',
      'reasoning.summary',
      'text.verbosity',
      'include',
      'store',
      'prompt_cache_key',
      'metadata',
      'stream',
    ],
  },
  {
    name: 'Messages over chat',
    path: '/v1/messages',
    upstream: 'openai-chat',
    body: {
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [{ name: WILD_NAME, input_schema: SCHEMA }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      metadata: { user_id: 'u' },
      temperature: 0.5,
      top_p: 0.9,
    },
    advice: ['temperature', 'top_p', 'parallel_tool_calls', 'stream'],
  },
  {
    name: 'chat over Responses',
    path: '/v1/chat/completions',
    upstream: 'openai-responses',
    body: CHAT_BODY,
    advice: ['temperature', 'top_p', 'parallel_tool_calls', 'store', 'tools.strict', 'stream'],
  },
];

async function newCustomer({ upstream: protocol }: Row): Promise<Customer> {
  const customer = await billing.newCustomer();
  const { channelIds } = customer.seeded;
  await billing.pool.query(
    `update channels set base_url = $2, protocols = $3 where id = any($1::uuid[])`,
    [channelIds.slice(0, 1), upstream.url, [protocol]],
  );
  await billing.pool.query(`update channels set status = 'disabled' where id = any($1::uuid[])`, [
    channelIds.slice(1),
  ]);
  await customer.republish();
  return customer;
}

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly requests: number;
}

async function ask({ seeded, model }: Customer, row: Row, stream: boolean): Promise<Sent> {
  const before = upstream.bodies.length;
  const response = await fetch(billing.url + row.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, ...row.body }),
  });
  const text = await response.text();
  return { status: response.status, text, requests: upstream.bodies.length - before };
}

describe.each(ROWS)('$name', (row) => {
  const orders = fc.shuffledSubarray([...row.advice, TOOL_NAMES], { minLength: 1 });

  it('is served without the advice that its upstream refuses, in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(orders, fc.boolean(), async (checks, stream) => {
        upstream.checks = checks;
        const customer = await newCustomer(row);
        const first = await ask(customer, row, stream);
        expect(first.status, first.text).toBe(200);
        expect(first.text).toContain('It is done.');
        expect(first.requests).toBeLessThanOrEqual(1 + FIELD_RETRIES + 1);
        const last = upstream.bodies.at(-1);
        expect(checks.filter((check) => hasField(last, check))).toEqual([]);

        // What was refused is remembered: at the second turn what one request could learn.
        const second = await ask(customer, row, stream);
        const third = await ask(customer, row, stream);
        const refusals = first.requests - 1;
        if (refusals < FIELD_RETRIES) expect(second.requests, second.text).toBe(1);
        expect(third.requests, third.text).toBe(1);

        const { records, charged } = await customer.bill();
        expect(records.map(({ status }) => status)).toEqual(Array(3).fill('completed'));
        expect(charged).toBe(3 * (records[0]?.cost ?? 0));
        expect(await customer.held()).toBe(0);
      }),
      { numRuns: RUNS },
    );
  });
});
