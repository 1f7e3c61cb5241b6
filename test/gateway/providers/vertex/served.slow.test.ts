import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import {
  EXPRESS_KEY,
  startFakeGoogle,
  type FakeGoogle,
  type GoogleReply,
  type GoogleRequest,
} from '../../../support/upstreams/fake-google/fake-google.ts';
import { claudeError, platformError } from '../../../support/upstreams/fake-google/refusals.ts';
import { startGatewayInProcess } from '../../../support/gateway-in-process.ts';
import { until } from '../../../support/clocks/hang.ts';
import { createDatabase } from '../../../support/stores/postgres.ts';
import { TEST_PRICES } from '../../../support/seed.ts';
import { wholeReply } from '../../../support/upstreams/strict-upstream/replies.ts';
import { seedVertex } from '../../../support/upstreams/vertex-channels.ts';

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

/** Returns the fixed reply of each interface of Vertex. */
function replied({ publisher, method, model }: GoogleRequest): GoogleReply {
  if (model === 'count-tokens') return { json: { input_tokens: 11 } };
  if (method === 'countTokens') return { json: { totalTokens: 12 } };
  const protocols = { google: 'gemini', anthropic: 'anthropic-messages' } as const;
  const protocol = publisher in protocols ? protocols[publisher as 'google'] : 'openai-chat';
  return { json: wholeReply(protocol, { pieces: ['Served.'] }) };
}

interface Customer {
  readonly key: string;
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
    key,
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

const REFUSED_429 = platformError(
  429,
  'RESOURCE_EXHAUSTED',
  'Resource exhausted, please try again later.',
  // Longer than a slow machine takes for a few requests.
  [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '60s' }],
);
const EXHAUSTED: GoogleReply = { status: REFUSED_429.status, json: REFUSED_429.body };

it('goes to the next location when one has no capacity', async () => {
  google.reply = (request) => {
    if (request.location !== 'us-east5') return replied(request);
    return EXHAUSTED;
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

describe('a channel with several locations', () => {
  const withoutCapacity =
    (...full: readonly string[]) =>
    (request: GoogleRequest): GoogleReply => {
      if (!full.includes(request.location)) return replied(request);
      return EXHAUSTED;
    };
  const places = () => google.requests.map(({ location }) => location);

  async function at(
    locations: readonly string[],
    credentials: readonly string[] = [google.keyFile],
  ): Promise<Customer> {
    const customer = await customerOf(SONNET, { credentials });
    await pool.query(
      `update channels set locations = $1
       where id in (select channel_id from channel_models join models on models.id = model_id
                    where public_id = $2)`,
      [locations, customer.model],
    );
    await gateway.republish();
    return customer;
  }

  it('asks the next one when one has no capacity, and the first no more for a while', async () => {
    google.reply = withoutCapacity('us-east5');
    const { post } = await at(['us-east5', 'europe-west1', 'global']);
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await post('/v1/messages', MESSAGE)).status).toBe(200);
    }
    expect(places()).toEqual(['us-east5', 'europe-west1', 'europe-west1', 'europe-west1']);
  });

  it('asks each location before it goes to a channel of less priority', async () => {
    google.reply = withoutCapacity('us-east5', 'europe-west1');
    const model = await customerOf(SONNET, {
      baseUrls: [google.baseUrl('us-east5'), google.baseUrl('global')],
    });
    await pool.query(
      `update channels set locations = '{us-east5,europe-west1}' where base_url = $1 and id in
         (select channel_id from channel_models join models on models.id = model_id
          where public_id = $2)`,
      [google.baseUrl('us-east5'), model.model],
    );
    await gateway.republish();
    expect((await model.post('/v1/messages', MESSAGE)).status).toBe(200);
    expect(places()).toEqual(['us-east5', 'europe-west1', 'global']);
  });

  it('has locations of their own for some models', async () => {
    const { post } = await at(['us-east5', `${SONNET}=europe-west1`, 'claude-opus-5-5=global']);
    expect((await post('/v1/messages', MESSAGE)).status).toBe(200);
    expect(places()).toEqual(['europe-west1']);
  });

  it('asks the next one for what one does not have, or fails at', async () => {
    google.reply = (request) => {
      if (request.location !== 'us-east5') return replied(request);
      const { status, body } = platformError(503, 'UNAVAILABLE', 'The service is unavailable.');
      return { status, json: body };
    };
    const { post } = await at(['us-south9', 'us-east5', 'global']);
    expect((await post('/v1/messages', MESSAGE)).status).toBe(200);
    expect(places()).toEqual(['us-east5', 'global']);
  });

  it('uses each credential at each location', async () => {
    google.reply = withoutCapacity('us-east5');
    const two = await at(['us-east5', 'global'], [google.keyFile, accessToken(), accessToken()]);
    for (let sent = 0; sent < 4; sent += 1) {
      expect((await two.post('/v1/messages', MESSAGE)).status).toBe(200);
    }
    expect(places().filter((place) => place === 'global')).toHaveLength(4);
  });

  it('tells the client when to try again once none has capacity', async () => {
    google.reply = withoutCapacity('us-east5', 'global');
    const { post } = await at(['us-east5', 'global']);
    for (let sent = 0; sent < 2; sent += 1) {
      const reply = await post('/v1/messages', MESSAGE);
      expect(reply.status).toBe(429);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await reply.text()).not.toMatch(/us-east5|test-project-1/);
    }
    expect(places()).toEqual(['us-east5', 'global']);
  });
});

function accessToken(): string {
  return String(google.tokens.issue().body['access_token']);
}

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
  // A token that is revoked is replaced for a count, too.
  google.tokens.revokeAll();
  const again = await claude.post('/v1/messages/count_tokens', { messages: MESSAGES });
  expect(await again.json()).toEqual({ input_tokens: 11 });
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

describe('embeddings', () => {
  const predicted = (values: readonly number[], tokens?: number) => ({
    embeddings: {
      values,
      statistics: { truncated: false, ...(tokens !== undefined && { token_count: tokens }) },
    },
  });
  const clientOf = ({ key }: Customer): OpenAI =>
    new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 });

  it('are made for the OpenAI client, and billed by the tokens that Vertex reports', async () => {
    const customer = await customerOf('text-embedding-005');
    google.reply = () => ({
      json: { predictions: [predicted([0.5, -1], 3), predicted([1, 2], 4)] },
    });
    const { data, usage } = await clientOf(customer).embeddings.create({
      model: customer.model,
      input: ['one', 'two'],
      dimensions: 2,
    });
    expect(data.map(({ embedding }) => embedding)).toEqual([
      [0.5, -1],
      [1, 2],
    ]);
    expect(usage.prompt_tokens).toBe(7);
    expect(google.requests.at(-1)).toMatchObject({
      method: 'predict',
      body: {
        instances: [{ content: 'one' }, { content: 'two' }],
        parameters: { outputDimensionality: 2, autoTruncate: false },
      },
    });
    const cost = await until('the bill is written', async () => {
      const { rows } = await pool.query<{ cost: number }>(
        'select cost_nano_usd as cost from usage_records where model = $1',
        [customer.model],
      );
      return rows[0]?.cost;
    });
    expect(cost).toBe((7 * TEST_PRICES.inputNanoUsd) / 1_000_000);
  });

  it('of a Gemini model are made one at a time', async () => {
    const customer = await customerOf('gemini-embedding-001');
    google.reply = () => ({ json: { predictions: [predicted([1, 2])] } });
    const client = clientOf(customer);
    const one = await client.embeddings.create({ model: customer.model, input: 'one' });
    expect(one.data[0]?.embedding).toEqual([1, 2]);
    const many = client.embeddings.create({ model: customer.model, input: ['one', 'two'] });
    await expect(many).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('at most 1 text at once') as string,
    });
    expect(google.requests).toHaveLength(1);
    const gemini = await customer.post('/v1beta/models/{model}:embedContent', {
      content: { parts: [{ text: 'one' }] },
    });
    expect(await gemini.json()).toMatchObject({ embedding: { values: [1, 2] } });
  });
});

it('takes an API key, without a project', async () => {
  const { post } = await customerOf('gemini-2.5-pro', {
    baseUrls: [`${google.origin}/v1`],
    credentials: [EXPRESS_KEY],
  });
  expect((await post('/v1/chat/completions', { messages: MESSAGES })).status).toBe(200);
});
