import { GoogleGenAI } from '@google/genai';
import { GoogleGenAI as GoogleGenAI2 } from 'google-genai-2';
import OpenAI, { BadRequestError } from 'openai';
import OpenAI6 from 'openai-6';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import {
  startGeminiEmbeddings,
  startOpenAiEmbeddings,
  TOKENS_PER_TEXT,
  vectorFor,
  type EmbeddingVendor,
} from '../../../support/upstreams/embedding-vendors.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, seedModel, TEST_PRICES, type Seeded } from '../../../support/seed.ts';

const CREDIT = 100_000_000_000;
const PRICE = TEST_PRICES.inputNanoUsd / 1_000_000;
const TEXTS = ['Hello', 'Good evening', 'Ζήνων', 'A'];
/** Public ids, by the upstreams that they are served by. */
const ON_GEMINI = 'gemini-embedder';
const ON_OPENAI = 'openai-embedder';
const ON_BOTH = 'both-embedder';

let database: TestDatabase;
let pool: pg.Pool;
let google: EmbeddingVendor;
let openai: EmbeddingVendor;
let seeded: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let spent = 0;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  [google, openai] = await Promise.all([startGeminiEmbeddings(), startOpenAiEmbeddings()]);
  seeded = await seed(pool, {
    upstreams: [google.url, `${openai.url}/v1`],
    creditNanoUsd: CREDIT,
    models: [{ publicId: ON_BOTH, upstreamName: 'gemini-embedding-001' }],
  });
  const [onGemini = '', onOpenAi = ''] = seeded.channelIds;
  await pool.query(`update channels set kind = 'gemini' where id = $1`, [onGemini]);
  const { groupId } = seeded;
  const upstreamName = 'gemini-embedding-001';
  await seedModel(pool, {}, { publicId: ON_GEMINI, upstreamName, groupId, channelIds: [onGemini] });
  await seedModel(pool, {}, { publicId: ON_OPENAI, groupId, channelIds: [onOpenAi] });
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  await Promise.all([google.close(), openai.close()]);
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  for (const vendor of [google, openai]) {
    vendor.bodies.length = 0;
    vendor.change = undefined;
  }
});

/** Returns the charge since the last call; nothing stays held. */
async function charged(): Promise<number> {
  const state = await settledState(ledger, seeded.accountId);
  expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0, inFlight: 0 });
  const total = CREDIT - state.availableNanoUsd;
  const since = total - spent;
  spent = total;
  return since;
}

function openaiClient(): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: seeded.key });
}

function postGemini(verb: string, body: object, model = ON_OPENAI): Promise<Response> {
  return fetch(`${gateway.url}/v1beta/models/${model}:${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': seeded.key },
    body: JSON.stringify(body),
  });
}

const contentOf = (text: string): object => ({ parts: [{ text }] });
const COST = TEXTS.length * TOKENS_PER_TEXT * PRICE;

describe('OpenAI’s clients over a Gemini upstream', () => {
  it.each([
    ['openai', OpenAI],
    ['openai-6', OpenAI6],
  ])('%s gets a vector for each text, in order, and pays what is reported', async (_name, Sdk) => {
    const client = new Sdk({ baseURL: `${gateway.url}/v1`, apiKey: seeded.key });
    const asked = { model: ON_GEMINI, input: TEXTS, dimensions: 3, user: 'someone' };
    const { data, model, usage } = await client.embeddings.create(asked);
    expect(data.map(({ index, embedding }) => [index, embedding])).toEqual(
      TEXTS.map((text, index) => [index, Array.from(Float32Array.from(vectorFor(text, 3)))]),
    );
    const tokens = TEXTS.length * TOKENS_PER_TEXT;
    expect([model, usage]).toEqual([ON_GEMINI, { prompt_tokens: tokens, total_tokens: tokens }]);
    expect(google.bodies).toEqual([
      {
        requests: TEXTS.map((text) => ({
          model: 'models/gemini-embedding-001',
          content: contentOf(text),
          outputDimensionality: 3,
        })),
      },
    ]);
    expect(await charged()).toBe(COST);
  });

  it('get all digits of the numbers as floats', async () => {
    const values = [0.123456789012345, -1e-9, 3];
    google.change = (reply) => ({ ...reply, embeddings: [{ values }] });
    const asked = { model: ON_GEMINI, input: 'Hello', encoding_format: 'float' as const };
    const { data } = await openaiClient().embeddings.create(asked);
    expect(data).toEqual([{ object: 'embedding', index: 0, embedding: values }]);
    expect(await charged()).toBe(TOKENS_PER_TEXT * PRICE);
  });

  it('pay what is counted where nothing is reported, and are told the same', async () => {
    google.change = ({ embeddings }) => ({ embeddings });
    const { usage } = await openaiClient().embeddings.create({ model: ON_GEMINI, input: TEXTS });
    expect(usage.prompt_tokens).toBeGreaterThan(TEXTS.length);
    expect(await charged()).toBe(usage.prompt_tokens * PRICE);
    const latest = `select estimated, protocol, upstream_protocol from usage_records
      where account_id = $1 order by created_at desc limit 1`;
    const { rows } = await pool.query(latest, [seeded.accountId]);
    expect(rows).toEqual([
      { estimated: true, protocol: 'openai-embeddings', upstream_protocol: 'gemini' },
    ]);
  });

  it.each([
    ['numbers of tokens', { input: [[1, 2], [3]] }, 'check_embedding_ctx_length'],
    ['one list of tokens', { input: [1, 2] }, 'check_embedding_ctx_length'],
    ['too many texts', { input: Array.from({ length: 101 }, () => 'Hi') }, 'at most 100'],
    ['other numbers than floats', { input: 'Hi', output_dtype: 'int8' }, 'output_dtype'],
  ])('are refused %s by name, and pay nothing', async (_name, body, named) => {
    const sent = openaiClient().post('/embeddings', { body: { model: ON_GEMINI, ...body } });
    await expect(sent).rejects.toThrow(named);
    expect(google.bodies).toEqual([]);
    expect(await charged()).toBe(0);
  });

  it('have token numbers embedded by another channel that takes them', async () => {
    const asked = { model: ON_BOTH, input: [[1, 2]] };
    // The fake of OpenAI knows no tokens: it is its refusal that comes.
    await expect(openaiClient().embeddings.create(asked)).rejects.toThrow("'$.input' is invalid");
    expect([google.bodies, openai.bodies]).toMatchObject([[], [{ input: [[1, 2]] }]]);
    expect(await charged()).toBe(0);
  });

  it('see the upstream’s refusal in OpenAI’s form, once', async () => {
    const refused = openaiClient().embeddings.create({ model: ON_GEMINI, input: '' });
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 'upstream_rejected' });
    expect(google.bodies).toHaveLength(1);
    expect(await charged()).toBe(0);
  });

  it('never get a list that lacks a vector', async () => {
    google.change = ({ embeddings }) => ({ embeddings: (embeddings as object[]).slice(1) });
    const client = openaiClient().withOptions({ maxRetries: 0 });
    const asked = client.embeddings.create({ model: ON_GEMINI, input: TEXTS });
    await expect(asked).rejects.toMatchObject({ status: 502 });
    expect(await charged()).toBe(0);
  });
});

describe('Gemini’s clients over an OpenAI-compatible upstream', () => {
  const reported = { promptTokenCount: TEXTS.length * TOKENS_PER_TEXT };

  it.each([
    ['@google/genai', GoogleGenAI, reported],
    // It does not read the usage.
    ['google-genai-2', GoogleGenAI2, undefined],
  ])('%s gets a vector for each content, in order, and pays', async (_name, Sdk, shown) => {
    const client = new Sdk({ apiKey: seeded.key, httpOptions: { baseUrl: gateway.url } });
    const reply = await client.models.embedContent({
      model: ON_OPENAI,
      contents: TEXTS,
      config: { outputDimensionality: 2, taskType: 'RETRIEVAL_DOCUMENT', title: 'A page' },
    });
    expect(reply.embeddings?.map(({ values }) => values)).toEqual(
      TEXTS.map((text) => vectorFor(text, 2)),
    );
    expect('usageMetadata' in reply ? reply.usageMetadata : undefined).toEqual(shown);
    expect(openai.bodies).toEqual([{ model: ON_OPENAI, input: TEXTS, dimensions: 2 }]);
    expect(await charged()).toBe(COST);
  });

  it('get one vector for one content, of all its texts', async () => {
    const content = { role: 'user', parts: [{ text: 'Hello' }, { text: 'World' }] };
    const config = { embedContentConfig: { outputDimensionality: 1 } };
    const reply = await postGemini('embedContent', { content, ...config });
    expect(await reply.json()).toEqual({
      embedding: { values: vectorFor('Hello\nWorld', 1) },
      usageMetadata: { promptTokenCount: TOKENS_PER_TEXT },
    });
    expect(await charged()).toBe(TOKENS_PER_TEXT * PRICE);
  });

  it('get vectors in order, whichever way the upstream sends them', async () => {
    openai.change = ({ data, ...reply }) => ({
      ...reply,
      data: (data as { embedding: number[] }[])
        .map((item) => ({
          ...item,
          embedding: Buffer.from(Float32Array.from(item.embedding).buffer).toString('base64'),
        }))
        .toReversed(),
    });
    const requests = TEXTS.map((text) => ({ content: contentOf(text) }));
    const reply = await postGemini('batchEmbedContents', { requests });
    const { embeddings } = (await reply.json()) as { embeddings: { values: number[] }[] };
    expect(embeddings.map(({ values }) => values)).toEqual(
      TEXTS.map((text) => Array.from(Float32Array.from(vectorFor(text)))),
    );
    expect(await charged()).toBe(COST);
  });

  it('pay what is counted where nothing is reported', async () => {
    openai.change = ({ data }) => ({ object: 'list', data });
    const reply = await postGemini('embedContent', { content: contentOf('Hello') });
    const { usageMetadata } = (await reply.json()) as { usageMetadata: Record<string, number> };
    const { promptTokenCount = 0 } = usageMetadata;
    expect(promptTokenCount).toBeGreaterThan(0);
    expect(await charged()).toBe(promptTokenCount * PRICE);
  });

  it.each([
    [
      'two lengths of vectors',
      [{ outputDimensionality: 2 }, { outputDimensionality: 3 }],
      'requests[1].outputDimensionality',
    ],
    [
      'an image',
      [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } }],
      'requests[0].content.parts[0]',
    ],
  ])('are refused %s by name, and pay nothing', async (_name, asked, named) => {
    const requests = asked.map((one) => ({ content: contentOf('Hi'), ...one }));
    const reply = await postGemini('batchEmbedContents', { requests });
    const { error } = (await reply.json()) as { error: { status: string; details: object[] } };
    expect([reply.status, error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(JSON.stringify(error.details)).toContain(named);
    expect(openai.bodies).toEqual([]);
    expect(await charged()).toBe(0);
  });

  it('see the upstream’s refusal in Gemini’s form', async () => {
    const reply = await postGemini('embedContent', { content: { parts: [{ text: '' }] } });
    const { error } = (await reply.json()) as { error: object };
    expect([reply.status, error]).toMatchObject([400, { status: 'INVALID_ARGUMENT' }]);
    expect(await charged()).toBe(0);
  });

  it('lose no request to another channel’s form: the same model is served by either', async () => {
    const asked = { model: ON_BOTH, input: 'Hello', encoding_format: 'float' as const };
    const { data } = await openaiClient().embeddings.create(asked);
    const reply = await postGemini('embedContent', { content: contentOf('Hello') }, ON_BOTH);
    const { embedding } = (await reply.json()) as { embedding: { values: number[] } };
    expect(embedding.values).toEqual(data[0]?.embedding);
    expect(await charged()).toBe(2 * TOKENS_PER_TEXT * PRICE);
  });
});
