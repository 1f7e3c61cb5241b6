import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { seedAccount, seedKey } from '../../../support/seed.ts';
import {
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../settlement/support/billing-fixture.ts';

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

const CHAT_REPLY = {
  id: 'r',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

/** An upstream that has chat alone, and replies as told to all other paths. */
async function startChatOnly(
  status: number,
  body: unknown,
): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  server = createServer((request, response) => {
    paths.push(request.url ?? '');
    request.resume().on('end', () => {
      const isChat = request.url === '/v1/chat/completions';
      response.writeHead(isChat ? 200 : status, { 'content-type': 'application/json' });
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.end(isChat ? JSON.stringify(CHAT_REPLY) : text);
    });
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, paths };
}

/** A customer whose two channels are both this upstream, with these protocols. */
async function customerOf(url: string, protocols: readonly string[]): Promise<Customer> {
  const customer = await billing.newCustomer();
  await billing.pool.query(
    'update channels set base_url = $2, protocols = $3 where id = any($1::uuid[])',
    [customer.seeded.channelIds, url, protocols],
  );
  await customer.republish();
  return customer;
}

function post(key: string, path: string, body: object): Promise<Response> {
  return fetch(billing.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const BOTH = ['openai-chat', 'openai-responses', 'openai-completions', 'openai-embeddings'];

it.each<[string, number, unknown]>([
  ['404', 404, { error: { message: 'Not found' } }],
  ['a page', 404, '<html>404 Not Found</html>'],
  ['405', 405, { detail: 'Method Not Allowed' }],
  ['501', 501, ''],
  ['LM Studio’s 200', 200, { error: 'Unexpected endpoint or method. (POST /v1/responses)' }],
  [
    'that the model is served elsewhere',
    404,
    { error: { message: 'This is a chat model and not supported in the v1/responses endpoint.' } },
  ],
])(
  'Responses that the upstream lacks are translated, which is remembered: %s',
  async (_as, status, body) => {
    const { url, paths } = await startChatOnly(status, body);
    const { seeded, model } = await customerOf(url, BOTH);
    for (const input of ['one', 'two', 'three']) {
      const reply = await post(seeded.key, '/v1/responses', { model, input, store: false });
      expect([reply.status, await reply.text()]).toMatchObject([
        200,
        expect.stringContaining('"ok"'),
      ]);
    }
    expect(paths).toEqual([
      '/v1/responses',
      '/v1/chat/completions',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ]);
  },
);

it.each([
  {
    what: 'completions of a chat model',
    path: '/v1/completions',
    body: { prompt: 'x' },
    status: 404,
    message:
      'This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?',
  },
  {
    what: 'embeddings of a chat model',
    path: '/v1/embeddings',
    body: { input: 'x' },
    status: 403,
    message: 'You are not allowed to generate embeddings from this model',
  },
])(
  '$what are refused as the request’s mistake, and take the model from nobody',
  async ({ path, body, status, message }) => {
    const { url, paths } = await startChatOnly(status, { error: { message } });
    const customer = await customerOf(url, BOTH);
    const { seeded, model } = customer;
    for (let sent = 0; sent < 6; sent += 1) {
      const reply = await post(seeded.key, path, { model, ...body });
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ error: { message } });
    }
    // Remembered: neither channel is asked again for this.
    expect(paths).toHaveLength(2);
    expect((await customer.send({})).status).toBe(200);
    const account = await seedAccount(billing.pool, 1_000_000_000);
    const other = await seedKey(billing.pool, account, seeded.groupId);
    const reply = await post(other.key, '/v1/messages', {
      model,
      max_tokens: 5,
      messages: [{ role: 'user', content: randomUUID() }],
    });
    expect(reply.status).toBe(200);
  },
);
