import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';

let billing: BillingFixture;
let server: Server | undefined;

beforeAll(async () => {
  billing = await openBillingFixture();
});

afterEach(async () => {
  await new Promise((done) => (server === undefined ? done(undefined) : server.close(done)));
  server = undefined;
});

afterAll(async () => {
  await billing.close();
});

interface ChatBody {
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** Names of tools as chat completions take them. */
const NAME = /^[\w-]{1,64}$/;

/** An upstream of chat that refuses other names, and calls the tool that it is offered. */
async function startStrict(refusal: object = REFUSAL): Promise<{ url: string; names: string[] }> {
  const names: string[] = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { tools = [] } = JSON.parse(Buffer.concat(chunks).toString()) as ChatBody;
      const name = tools[0]?.function.name ?? '';
      names.push(name);
      const isFine = NAME.test(name);
      response.writeHead(isFine ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isFine ? replyCalling(name) : refusal));
    });
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, names };
}

const REFUSAL = {
  error: {
    message: "Invalid 'tools[0].function.name': string does not match pattern.",
    type: 'invalid_request_error',
    param: 'tools[0].function.name',
    code: 'invalid_value',
  },
};

const TOO_LONG = {
  error: {
    message: "This model's maximum context length is 10 tokens. Your messages have 20 tokens.",
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
};

function replyCalling(name: string): object {
  const call = { id: 'call_1', type: 'function', function: { name, arguments: '{}' } };
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  return {
    id: 'r',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

async function customerOf(url: string): Promise<Customer> {
  const customer = await billing.newCustomer();
  const { channelIds } = customer.seeded;
  await billing.pool.query(
    `update channels set base_url = $2, protocols = '{openai-chat}' where id = any($1::uuid[])`,
    [channelIds, url],
  );
  await customer.republish();
  return customer;
}

function ask({ seeded, model }: Customer, name: string): Promise<Response> {
  const parameters = { type: 'object', properties: {} };
  return fetch(`${billing.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [{ type: 'function', function: { name, parameters } }],
    }),
  });
}

interface ChatReply {
  readonly choices: readonly [
    { readonly message: { readonly tool_calls: readonly [{ function: { name: string } }] } },
  ];
}

it('what an upstream of the client’s own protocol refuses is fitted and sent once more', async () => {
  const { url, names } = await startStrict();
  const customer = await customerOf(url);
  const own = 'proxy/exec';
  for (const attempts of [2, 3]) {
    const response = await ask(customer, own);
    expect(response.status).toBe(200);
    const reply = (await response.json()) as ChatReply;
    expect(reply.choices[0].message.tool_calls[0].function.name).toBe(own);
    // The second turn is fitted before it is sent.
    expect(names).toHaveLength(attempts);
  }
  expect(names[0]).toBe(own);
  expect(names[1]).toMatch(NAME);
  expect(names[2]).toBe(names[1]);
});

it('the fitted request goes to the upstream that has refused it', async () => {
  const { url, names } = await startStrict();
  const customer = await customerOf(url);
  const { channelIds } = customer.seeded;
  // The other channel is chosen nine times in ten, and takes any name.
  await billing.pool.query('update channels set base_url = $2, weight = 90 where id = $1', [
    channelIds[1],
    billing.second.url,
  ]);
  await billing.pool.query('update channels set weight = 10 where id = $1', [channelIds[0]]);
  await customer.republish();
  while (names.length === 0) await (await ask(customer, 'proxy/exec')).text();
  expect(names).toHaveLength(2);
  expect(names[1]).toMatch(NAME);
});

it('a prompt that is too long is not sent again: no fit makes it shorter', async () => {
  const { url, names } = await startStrict(TOO_LONG);
  const response = await ask(await customerOf(url), 'proxy/exec');
  expect(response.status).toBe(400);
  expect(names).toHaveLength(1);
});

it('a request in which nothing can be fitted is not sent again', async () => {
  const { url, names } = await startStrict();
  const customer = await customerOf(url);
  const response = await fetch(`${billing.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer.seeded.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      model: customer.model,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  expect(response.status).toBe(400);
  expect(names).toHaveLength(1);
});
