import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import {
  EXPRESS_KEY,
  startFakeGoogle,
  type FakeGoogle,
  type GoogleReply,
  type GoogleRequest,
} from '../../../support/fake-google/fake-google.ts';
import { claudeError, platformError } from '../../../support/fake-google/refusals.ts';
import { startGatewayInProcess } from '../../../support/gateway-in-process.ts';
import { createDatabase } from '../../../support/postgres.ts';
import { wholeReply } from '../../../support/strict-upstream/replies.ts';
import { seedVertex } from '../../../support/vertex-channels.ts';

const SONNET = 'claude-sonnet-4-5@20250929';

let pool: pg.Pool;
let google: FakeGoogle;
let gateway: Awaited<ReturnType<typeof startGatewayInProcess>>;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  google = await startFakeGoogle();
  gateway = await startGatewayInProcess({ pool, databaseUrl: database.url });
  closing.push(
    () => gateway.close(),
    () => google.close(),
    () => pool.end(),
    () => database.drop(),
  );
});

afterAll(async () => {
  for (const close of closing) await close();
});

beforeEach(() => {
  google.requests.splice(0);
  google.reply = replied;
});

/** What each interface of Vertex replies to everything. */
function replied({ publisher, method, model }: GoogleRequest): GoogleReply {
  if (model === 'count-tokens') return { json: { input_tokens: 11 } };
  if (method === 'countTokens') return { json: { totalTokens: 12 } };
  const protocols = { google: 'gemini', anthropic: 'anthropic-messages' } as const;
  const protocol = publisher in protocols ? protocols[publisher as 'google'] : 'openai-chat';
  return { json: wholeReply(protocol, { pieces: ['Served.'] }) };
}

interface Customer {
  readonly model: string;
  readonly post: (
    path: string,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
}

/** A customer whose model is served by channels of their own. */
async function customerOf(
  upstreamName: string,
  {
    baseUrls = [google.baseUrl()],
    credentials = [google.keyFile],
  }: { readonly baseUrls?: readonly string[]; readonly credentials?: readonly string[] } = {},
): Promise<Customer> {
  const model = `model-${randomUUID()}`;
  const models = [{ publicId: model, upstreamName }];
  const { key } = await seedVertex(pool, { baseUrls, credentials, models });
  await gateway.republish();
  return {
    model,
    post: (path, body, headers = {}) =>
      fetch(gateway.url + path.replace('{model}', model), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(path.includes('{model}') ? body : { model, ...body }),
      }),
  };
}

const MESSAGES = [{ role: 'user', content: 'Hello' }];
const MESSAGE = { max_tokens: 100, messages: MESSAGES };
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };

it('goes to the next location when one has no capacity', async () => {
  google.reply = (request) => {
    if (request.location !== 'us-east5') return replied(request);
    const message = 'Resource exhausted, please try again later.';
    const { status, body } = platformError(429, 'RESOURCE_EXHAUSTED', message);
    return { status, json: body };
  };
  const { post } = await customerOf(SONNET, {
    baseUrls: [google.baseUrl('us-east5'), google.baseUrl('global')],
  });
  for (let sent = 0; sent < 3; sent += 1) {
    expect((await post('/v1/messages', MESSAGE)).status).toBe(200);
  }
  // The first is not asked again at once.
  const places = google.requests.map(({ location }) => location);
  expect(places).toEqual(['us-east5', 'global', 'global', 'global']);
});

it('leaves a model alone that a location lacks, and serves its others', async () => {
  const baseUrls = [google.baseUrl()];
  const missing = await customerOf('claude-nope', { baseUrls });
  const reply = await missing.post('/v1/messages', MESSAGE);
  expect(reply.status).toBe(502);
  expect(await reply.text()).not.toContain('test-project-1');
  const { post } = await customerOf(SONNET, { baseUrls });
  expect((await post('/v1/messages', MESSAGE)).status).toBe(200);
});

it('has Vertex count the tokens of a prompt', async () => {
  const claude = await customerOf(SONNET);
  const betas = { 'anthropic-beta': 'web-search-2025-03-05,interleaved-thinking-2025-05-14' };
  const counted = await claude.post('/v1/messages/count_tokens', { messages: MESSAGES }, betas);
  expect(await counted.json()).toEqual({ input_tokens: 11 });
  expect(google.requests[0]?.body).toMatchObject({ model: SONNET });
  const gemini = await customerOf('gemini-2.5-pro');
  const tokens = await gemini.post('/v1beta/models/{model}:countTokens', CONTENTS);
  expect(await tokens.json()).toMatchObject({ totalTokens: 12 });
});

it('withholds betas that Vertex refuses, and says so', async () => {
  const { post } = await customerOf(SONNET);
  const betas =
    'prompt-caching-scope-2026-01-05, advanced-tool-use-2025-11-20,interleaved-thinking-2025-05-14';
  const reply = await post('/v1/messages', MESSAGE, { 'anthropic-beta': betas });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('x-weir-dropped-fields')).toBe('beta.prompt-caching-scope-2026-01-05');
  expect(google.requests[0]?.headers['anthropic-beta']).toBe(
    'tool-search-tool-2025-10-19,interleaved-thinking-2025-05-14',
  );
});

it.each([
  ['speed', { speed: 'fast' }],
  ['context_management', { context_management: { edits: [] } }],
])('withholds %s, which Vertex refuses without a beta', async (name, field) => {
  const { post } = await customerOf(SONNET);
  await pool.query(`update prices set tiers = '{"fast": 2000000}'`);
  await gateway.republish();
  const reply = await post('/v1/messages', { ...MESSAGE, ...field });
  expect(reply.status, await reply.text()).toBe(200);
  expect(reply.headers.get('x-weir-dropped-fields')).toBe(name);
  const betas = { 'anthropic-beta': 'context-management-2025-06-27' };
  const opened = await post('/v1/messages', { ...MESSAGE, ...field }, betas);
  expect(opened.status).toBe(200);
  expect(name in (google.requests.at(-1)?.body ?? {})).toBe(name === 'context_management');
});

it('replaces a version that a client has put into its body', async () => {
  const { post } = await customerOf(SONNET);
  const body = { anthropic_version: '2023-06-01', ...MESSAGE };
  expect((await post('/v1/messages', body)).status).toBe(200);
});

it.each([
  ['2023-06-01', 'vertex-2023-10-16'],
  ['2026-10-21', '2026-10-21'],
])('puts the version %s of a client into the body as %s', async (header, version) => {
  const { post } = await customerOf(SONNET);
  const reply = await post('/v1/messages', MESSAGE, { 'anthropic-version': header });
  expect(reply.status).toBe(200);
  expect(google.requests[0]?.body).toMatchObject({ anthropic_version: version });
});

it('hands on what Claude itself refuses, in its words', async () => {
  const message = 'messages.0: all messages must have non-empty content';
  const { status, body } = claudeError(400, 'invalid_request_error', message);
  google.reply = () => ({ status, json: body });
  const { post } = await customerOf(SONNET);
  const reply = await post('/v1/messages', MESSAGE);
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ error: { message } });
});

it("speaks OpenAI's interface to models of other publishers", async () => {
  const { post } = await customerOf('meta/llama-4-maverick-17b-128e-instruct-maas');
  const reply = await post('/v1/chat/completions', { messages: MESSAGES });
  expect(await reply.json()).toMatchObject({ choices: [{ message: { content: 'Served.' } }] });
  expect(google.requests[0]).toMatchObject({ publisher: 'openapi' });
});

it('takes an API key, without a project', async () => {
  const { post } = await customerOf('gemini-2.5-pro', {
    baseUrls: [`${google.origin}/v1`],
    credentials: [EXPRESS_KEY],
  });
  expect((await post('/v1/chat/completions', { messages: MESSAGES })).status).toBe(200);
});
