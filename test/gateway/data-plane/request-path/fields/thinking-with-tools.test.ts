import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  startScriptedUpstream,
  type ScriptedUpstream,
} from '../../../../support/upstreams/scripted-upstream.ts';
import { startRefusingUpstream } from '../support/refusing-upstream.ts';
import {
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';

let billing: BillingFixture;
let upstream: ScriptedUpstream;

const PARAMETERS = { type: 'object', properties: {} };
const TOOLS = [{ type: 'function', function: { name: 'look', parameters: PARAMETERS } }];

const CHAT = {
  id: 'r',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-5.4',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-5.4',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'ok', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};

beforeAll(async () => {
  billing = await openBillingFixture();
  upstream = await startScriptedUpstream();
});

beforeEach(() => {
  upstream.requests.length = 0;
  upstream.reply = ({ path }) => (path.endsWith('/responses') ? RESPONSE : CHAT);
});

afterAll(async () => {
  await billing.close();
  await upstream.close();
});

async function customerOf(protocols: readonly string[], name = 'gpt-5.4'): Promise<Customer> {
  const customer = await billing.newCustomer();
  const { channelIds } = customer.seeded;
  await billing.pool.query(
    'update channels set base_url = $2, protocols = $3 where id = any($1::uuid[])',
    [channelIds, upstream.url, protocols],
  );
  await billing.pool.query(
    'update channel_models set upstream_name = $2 where channel_id = any($1::uuid[])',
    [channelIds, name],
  );
  await customer.republish();
  return customer;
}

const BOTH = ['openai-chat', 'openai-responses'];

it.each<[string, object, string]>([
  ['effort and tools', { reasoning_effort: 'high', tools: TOOLS }, '/v1/responses'],
  ['no tools', { reasoning_effort: 'high' }, '/v1/chat/completions'],
  ['no effort', { tools: TOOLS }, '/v1/chat/completions'],
  ['an effort of none', { reasoning_effort: 'none', tools: TOOLS }, '/v1/chat/completions'],
  [
    'what Responses has no way to say',
    { reasoning_effort: 'high', tools: TOOLS, n: 2 },
    '/v1/chat/completions',
  ],
])('a chat request with %s goes where it can be served', async (_name, body, path) => {
  const customer = await customerOf(BOTH);
  const response = await customer.send(body);
  expect(response.status).toBe(200);
  expect(upstream.requests.map((request) => request.path)).toEqual([path]);
  const reply = (await response.json()) as typeof CHAT;
  expect(reply.choices[0]?.message.content).toBe('ok');
  const dropped = response.headers.get('x-weir-dropped-fields') ?? '';
  expect(dropped.includes('reasoning_effort')).toBe('n' in body);
  if (path === '/v1/responses') {
    expect(upstream.requests[0]?.body).toMatchObject({ reasoning: { effort: 'high' } });
  }
});

it('a model that thinks with tools unless it is told not to is asked in Responses', async () => {
  const customer = await customerOf(BOTH, 'gpt-5.6');
  expect((await customer.send({ tools: TOOLS })).status).toBe(200);
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/responses']);
});

it('a channel that speaks chat completions alone is told not to think', async () => {
  const customer = await customerOf(['openai-chat']);
  const response = await customer.send({ reasoning_effort: 'high', tools: TOOLS });
  expect(response.headers.get('x-weir-dropped-fields')).toBe('reasoning_effort');
  expect(upstream.requests[0]?.body).toMatchObject({ reasoning_effort: 'none' });
});

it('a request in Messages goes the same way', async () => {
  const { seeded, model } = await customerOf(BOTH);
  const response = await fetch(`${billing.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': seeded.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      tools: [{ name: 'look', input_schema: PARAMETERS }],
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  expect(response.status).toBe(200);
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/responses']);
  expect(upstream.requests[0]?.body).toMatchObject({ reasoning: { effort: 'low' } });
});

it('an upstream that does not have Responses after all serves it in chat completions', async () => {
  const customer = await customerOf(BOTH);
  const chat = await startRefusingUpstream();
  chat.refuse = (body) =>
    'input' in body ? { status: 404, error: { error: { message: 'Not Found' } } } : undefined;
  await customer.moveTo(chat.url);
  const response = await customer.send({ reasoning_effort: 'high', tools: TOOLS });
  expect(response.status).toBe(200);
  expect(chat.bodies.map((body) => 'input' in body)).toEqual([true, false]);
  await chat.close();
});
