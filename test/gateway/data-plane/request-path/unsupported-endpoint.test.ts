/** Requests that no channel of a model can ever serve are refused for good, before the hold. */
import { randomUUID } from 'node:crypto';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readClientProtocols } from '../../../../gateway/control-plane/prices/client-protocols.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, seedAccount, seedKey, seedModel, type Seeded } from '../../../support/seed.ts';

const TURN = [{ role: 'user', content: 'Hi' }];
const CONTENT = { parts: [{ text: 'Hi' }] };

/** Each path with a request, and the protocol that it is of on the price list. */
const ENDPOINTS = [
  ['/v1/chat/completions', { messages: TURN }, 'openai-chat'],
  ['/v1/responses', { input: 'Hi' }, 'openai-responses'],
  ['/v1/completions', { prompt: 'Hi', max_tokens: 9 }, 'openai-completions'],
  ['/v1/messages', { messages: TURN, max_tokens: 9 }, 'anthropic-messages'],
  ['/v1/models/MODEL:generateContent', { contents: [CONTENT] }, 'gemini'],
  ['/v1/models/MODEL:streamGenerateContent', { contents: [CONTENT] }, 'gemini'],
  ['/v1/embeddings', { input: 'Hi' }, 'openai-embeddings'],
  ['/v1/models/MODEL:embedContent', { content: CONTENT }, 'gemini'],
  ['/v1/models/MODEL:batchEmbedContents', { requests: [{ content: CONTENT }] }, 'gemini'],
] as const;

const PATHS = ENDPOINTS.map(([path]) => path);
const GENERATING = PATHS.filter((path) => !/embed|\/completions$/i.test(path.slice(3))).concat(
  '/v1/chat/completions',
);
const EMBEDDING = PATHS.filter((path) => /embed/i.test(path));

/** Channels, and the paths that they serve. */
const WAYS = [
  { name: 'anthropic', kind: 'anthropic', protocols: null, serves: GENERATING },
  { name: 'openai', kind: 'openai', protocols: null, serves: PATHS },
  { name: 'azure', kind: 'azure', protocols: null, serves: PATHS },
  { name: 'gemini', kind: 'gemini', protocols: null, serves: [...GENERATING, ...EMBEDDING] },
  { name: 'responses', kind: 'openai', protocols: ['openai-responses'], serves: GENERATING },
  { name: 'vectors', kind: 'openai', protocols: ['openai-embeddings'], serves: EMBEDDING },
  {
    name: 'completing',
    kind: 'openai',
    protocols: ['openai-completions'],
    serves: ['/v1/completions'],
  },
] as const;

const MODELS = WAYS.flatMap((way) =>
  ['talker', 'embedder'].map((what) => ({ ...way, model: `${way.name}-${what}` })),
);

let database: TestDatabase;
let pool: pg.Pool;
let gateway: TestGateway;
/** A customer without money: a request that reaches the hold is refused there. */
let seeded: Seeded;
let channelIds: ReadonlyMap<string, string>;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  seeded = await seed(pool, {
    // Nothing listens there, and nothing is sent there.
    upstreams: WAYS.map(() => 'http://127.0.0.1:9'),
    creditNanoUsd: 0,
    models: [],
  });
  const { groupId } = seeded;
  channelIds = new Map(WAYS.map(({ name }, index) => [name, seeded.channelIds[index] ?? '']));
  for (const { name, kind, protocols } of WAYS) {
    const change = 'update channels set kind = $2, protocols = $3 where id = $1';
    await pool.query(change, [channelIds.get(name), kind, protocols]);
  }
  for (const { model, name } of MODELS) {
    const ids = [channelIds.get(name) ?? ''];
    await seedModel(pool, {}, { publicId: model, groupId, channelIds: ids });
  }
  await seedModel(pool, {}, { publicId: 'nowhere', groupId, channelIds: [] });
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await pool.end();
  await database.drop();
});

function ask(path: string, model: string, key = seeded.key): Promise<Response> {
  const [, body] = ENDPOINTS.find(([known]) => known === path) ?? [];
  return fetch(gateway.url + path.replace('MODEL', model), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(path.includes('MODEL') ? body : { model, ...body }),
  });
}

/** The paths that a refusal names. */
function pathsIn(text: string, model: string): string[] {
  const named = /is served at (.*?)\. Call/.exec(text)?.[1] ?? '';
  return named === '' ? [] : named.split(', ').map((path) => path.replace(model, 'MODEL'));
}

function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].toSorted();
}

describe('a model', () => {
  it.each(MODELS)('$model is served at just these paths', async ({ model, serves }) => {
    const replies = await Promise.all(
      PATHS.map(async (path) => {
        const reply = await ask(path, model);
        return { path, reply, text: await reply.text() };
      }),
    );
    // Money is what is missing where it is served: nothing was held where it is not.
    const served = replies.filter(({ text }) => !/unsupported_endpoint/i.test(text));
    expect(sorted(served.map(({ path }) => path))).toEqual(sorted(serves));
    for (const { text } of served) expect(text).toMatch(/balance/i);
    const refused = replies.filter((one) => !served.includes(one));
    for (const { reply } of refused) {
      expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([400, 'false']);
    }
    const made = model.endsWith('embedder')
      ? EMBEDDING
      : PATHS.filter((path) => !/embed/i.test(path));
    const expected = sorted(made.filter((path) => (serves as readonly string[]).includes(path)));
    for (const { text } of refused) expect(sorted(pathsIn(text, model))).toEqual(expected);
    // The price list has no word for completions.
    const protocols = ENDPOINTS.filter(([path]) => expected.includes(path))
      .map(([, , protocol]) => protocol)
      .filter((protocol) => protocol !== 'openai-completions');
    const protocolsOf = await readClientProtocols(pool);
    expect(sorted(protocolsOf(model))).toEqual(sorted(protocols));
  });

  it('is refused at other paths by those of the group’s tools alone', async () => {
    const groupId = randomUUID();
    const protocols = ['openai-completions', 'anthropic-messages'];
    await pool.query(`insert into groups (id, name, protocols) values ($1, $2, $3)`, [
      groupId,
      `for some ${groupId}`,
      protocols,
    ]);
    await pool.query(
      `insert into group_models (group_id, model_id)
       select $1, id from models where public_id = 'anthropic-talker'`,
      [groupId],
    );
    const { key } = await seedKey(pool, seeded.accountId, groupId);
    await gateway.republish();
    const text = await (await ask('/v1/completions', 'anthropic-talker', key)).text();
    expect(pathsIn(text, 'anthropic-talker')).toEqual(['/v1/messages']);
  });

  it('that has no channel, or whose channel is away, may be there later', async () => {
    const accountId = await seedAccount(pool, 1_000_000_000);
    const { key } = await seedKey(pool, accountId, seeded.groupId);
    await gateway.republish();
    const none = await ask('/v1/embeddings', 'nowhere', key);
    expect([none.status, await none.text()]).toMatchObject([
      503,
      expect.stringContaining('no_channel_available'),
    ]);
    const away = await ask('/v1/embeddings', 'gemini-embedder', key);
    expect(away.status).toBeGreaterThanOrEqual(500);
    expect(away.headers.get('x-should-retry')).not.toBe('false');
  });
});

describe('a vendor’s SDK', () => {
  const containing = (text: string): unknown => expect.stringContaining(text);
  const counted = (): { readonly fetch: typeof fetch; calls: number } => {
    const counter = {
      calls: 0,
      fetch: (...sent: Parameters<typeof fetch>) => {
        counter.calls += 1;
        return fetch(...sent);
      },
    };
    return counter;
  };

  it('of OpenAI is refused once, in its own form', async () => {
    const counter = counted();
    const client = new OpenAI({
      baseURL: `${gateway.url}/v1`,
      apiKey: seeded.key,
      fetch: counter.fetch,
    });
    const asked = client.embeddings.create({ model: 'anthropic-talker', input: 'Hi' });
    await expect(asked).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_endpoint',
      param: 'model',
      message: containing('/v1/messages'),
    });
    expect(counter.calls).toBe(1);
  });

  it('of Anthropic is refused once, in its own form', async () => {
    const counter = counted();
    const client = new Anthropic({
      baseURL: gateway.url,
      apiKey: seeded.key,
      fetch: counter.fetch,
    });
    const asked = client.messages.create({
      model: 'vectors-embedder',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    await expect(asked).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      apiMessage: containing('/v1/embeddings'),
    });
    expect(counter.calls).toBe(1);
  });

  it('of Google is refused in its own form', async () => {
    const client = new GoogleGenAI({
      apiKey: seeded.key,
      httpOptions: { baseUrl: gateway.url },
    });
    const asked = client.models.embedContent({ model: 'anthropic-talker', contents: 'Hi' });
    await expect(asked).rejects.toMatchObject({
      status: 400,
      message: containing('INVALID_ARGUMENT'),
    });
  });
});
