import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startFakeGemini, type FakeGemini } from '../../../support/upstreams/fake-gemini.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, TEST_PRICES, type Seeded } from '../../../support/seed.ts';

const CREDIT = 100_000_000_000;

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeGemini;
let seeded: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let spent = 0;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  upstream = await startFakeGemini();
  seeded = await seed(pool, {
    upstreams: [upstream.url],
    creditNanoUsd: CREDIT,
    models: [{ publicId: 'embedder', upstreamName: 'gemini-embedding-001' }],
  });
  await pool.query(`update channels set kind = 'gemini' where id = $1`, [seeded.channelIds[0]]);
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  await upstream.close();
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  upstream.calls.length = 0;
});

function post(verb: string, body: object, model = 'embedder'): Promise<Response> {
  return fetch(`${gateway.url}/v1beta/models/${model}:${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': seeded.key },
    body: JSON.stringify(body),
  });
}

async function charged(): Promise<number> {
  const state = await settledState(ledger, seeded.accountId);
  expect(state.heldNanoUsd).toBe(0);
  const total = CREDIT - state.availableNanoUsd;
  const since = total - spent;
  spent = total;
  return since;
}

const PRICE = TEST_PRICES.inputNanoUsd / 1_000_000;
const CONTENT = { parts: [{ text: 'Hello' }] };
const UPSTREAM_PATH = '/v1beta/models/gemini-embedding-001:batchEmbedContents';
const UPSTREAM_MODEL = 'models/gemini-embedding-001';

describe('Gemini’s embeddings', () => {
  it('of one content are one vector, billed by what the upstream reports', async () => {
    upstream.reply = {
      json: { embeddings: [{ values: [0.1, 0.2] }], usageMetadata: { promptTokenCount: 7 } },
    };
    const asked = { content: CONTENT, taskType: 'RETRIEVAL_QUERY', outputDimensionality: 2 };
    const reply = await post('embedContent', { model: 'models/embedder', ...asked });
    expect(await reply.json()).toEqual({
      embedding: { values: [0.1, 0.2] },
      usageMetadata: { promptTokenCount: 7 },
    });
    expect(upstream.calls).toMatchObject([
      { path: UPSTREAM_PATH, body: { requests: [{ ...asked, model: UPSTREAM_MODEL }] } },
    ]);
    expect(await charged()).toBe(7 * PRICE);
  });

  it('of several contents are as many, whose tokens are counted where nothing is reported', async () => {
    const embeddings = [{ values: [1] }, { values: [2] }];
    upstream.reply = { json: { embeddings } };
    const requests = ['models/embedder', undefined].map((model) => ({ model, content: CONTENT }));
    const reply = await post('batchEmbedContents', { requests });
    expect(await reply.json()).toEqual({ embeddings });
    expect(upstream.calls[0]?.body).toEqual({
      requests: requests.map(() => ({ content: CONTENT, model: UPSTREAM_MODEL })),
    });
    const cost = await charged();
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThan(40 * PRICE);
  });

  it.each([
    ['embedContent', {}, 'requests[0].content'],
    ['embedContent', { content: 'Hello' }, 'requests[0].content'],
    ['embedContent', { content: CONTENT, model: 'models/other' }, 'model of the path'],
    ['batchEmbedContents', {}, 'requests'],
    [
      'batchEmbedContents',
      { requests: [{ content: CONTENT, model: 'other' }] },
      'model of the path',
    ],
    ['batchEmbedContents', { requests: [CONTENT] }, 'content'],
    ['embedContent', { content: { parts: [{ fileData: { fileUri: 'gs://a/b' } }] } }, 'fileUri'],
  ])('of %s with %j are refused', async (verb, body, named) => {
    const reply = await post(verb, body);
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining(named)]);
    expect(upstream.calls).toEqual([]);
    expect(await charged()).toBe(0);
  });

  it('are recorded by what they are of', async () => {
    const details = [
      { modality: 'TEXT', tokenCount: 1 },
      { modality: 'IMAGE', tokenCount: 6 },
    ];
    upstream.reply = {
      json: {
        embeddings: [{ values: [1] }],
        usageMetadata: { promptTokenCount: 7, promptTokenDetails: details },
      },
    };
    await (await post('embedContent', { content: CONTENT })).json();
    expect(await charged()).toBe(7 * PRICE);
    const latest = `select extra_meters as extra from usage_records
      where account_id = $1 order by created_at desc limit 1`;
    const { rows } = await pool.query(latest, [seeded.accountId]);
    expect(rows).toEqual([{ extra: { imageInput: 6 } }]);
  });

  it('are not had of a reply that is none', async () => {
    upstream.reply = { json: { embeddings: [] } };
    expect((await post('embedContent', { content: CONTENT })).status).toBe(502);
    expect(await charged()).toBe(0);
  });
});
