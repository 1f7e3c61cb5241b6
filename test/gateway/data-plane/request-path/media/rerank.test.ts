import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { until } from '../../../../support/clocks/hang.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../../support/stores/postgres.ts';
import {
  RANK_TOKENS,
  SEARCH_UNITS,
  startRerankVendor,
  type RerankVendor,
  type RerankVendorName,
} from '../../../../support/upstreams/rerank-vendor.ts';
import { seed, seedModel, type Seeded } from '../../../../support/seed.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;
/** 2 USD for 1,000 search units; 0.05 USD per million tokens. */
const PER_UNIT = 2_000_000;
const PER_TOKEN = 50;
const MODELS: Readonly<Record<RerankVendorName, string>> = {
  cohere: 'rerank-v3.5',
  jina: 'jina-reranker-v2-base-multilingual',
  voyage: 'rerank-2.5',
};
const VENDORS = ['cohere', 'jina', 'voyage'] as const;
const QUERY = 'Who wrote it?';
const TEXTS = ['Homer', 'Sappho', 'Pindar'];

let database: TestDatabase;
let pool: pg.Pool;
let vendors: Readonly<Record<RerankVendorName, RerankVendor>>;
let seeded: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let spent = 0;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const [cohere, jina, voyage] = await Promise.all(VENDORS.map(startRerankVendor));
  if (cohere === undefined || jina === undefined || voyage === undefined) throw new Error('none');
  vendors = { cohere, jina, voyage };
  seeded = await seed(pool, {
    upstreams: VENDORS.map((name) => vendors[name].url),
    creditNanoUsd: CREDIT,
    models: [],
  });
  const { groupId, channelIds } = seeded;
  for (const [index, name] of VENDORS.entries()) {
    const byUnits = name === 'cohere';
    const prices = { inputNanoUsd: byUnits ? 0 : PER_TOKEN * 1_000_000, outputNanoUsd: 0 };
    const channel = channelIds.slice(index, index + 1);
    await seedModel(pool, { prices }, { publicId: MODELS[name], groupId, channelIds: channel });
  }
  await pool.query(
    'update prices set extra_prices = $2 where model_id = (select id from models where public_id = $1)',
    [MODELS.cohere, JSON.stringify({ searchUnit: 1_000 * PER_UNIT })],
  );
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  await Promise.all(VENDORS.map((name) => vendors[name].close()));
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  for (const name of VENDORS) {
    vendors[name].bodies.length = 0;
    vendors[name].change = undefined;
  }
});

/** Returns the account’s loss since the last look; nothing stays held. */
async function charged(): Promise<number> {
  const state = await settledState(ledger, seeded.accountId);
  expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0, inFlight: 0 });
  const total = CREDIT - state.availableNanoUsd;
  const since = total - spent;
  spent = total;
  return since;
}

async function lastRecord(cost: number): Promise<{ readonly estimated: boolean }> {
  return until('the record is there', async () => {
    const { rows } = await pool.query<{ estimated: boolean; cost: string; extra: object | null }>(
      `select extra_meters as extra, estimated, cost_nano_usd as cost
       from usage_records order by created_at desc, request_id desc limit 1`,
    );
    const [row] = rows;
    return row !== undefined && Number(row.cost) === cost && row;
  });
}

async function ask(path: string, body: object): Promise<{ status: number; json: unknown }> {
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUERY, documents: TEXTS, ...body }),
  });
  return { status: reply.status, json: await reply.json() };
}

const COSTS: Readonly<Record<RerankVendorName, number>> = {
  cohere: SEARCH_UNITS * PER_UNIT,
  jina: RANK_TOKENS * PER_TOKEN,
  voyage: RANK_TOKENS * PER_TOKEN,
};
const BEST = { index: 2, relevance_score: 0.3 };
const NEXT = { index: 1, relevance_score: 0.2 };

describe.each(VENDORS)('a ranking of %s', (name) => {
  const model = MODELS[name];

  it.each(['/v1/rerank', '/v2/rerank', '/rerank'])('is given at %s', async (path) => {
    const { status, json } = await ask(path, { model, top_n: 2 });
    expect(status).toBe(200);
    expect(json).toMatchObject({ model, results: [BEST, NEXT] });
    const limit = name === 'voyage' ? { top_k: 2 } : { top_n: 2 };
    expect(vendors[name].bodies).toEqual([{ model, query: QUERY, documents: TEXTS, ...limit }]);
    expect(await charged()).toBe(COSTS[name]);
  });

  it('is given to clients of Voyage in their form', async () => {
    const { json } = await ask('/v1/rerank', { model, top_k: 1, truncation: true });
    const tokens = name === 'cohere' ? 0 : RANK_TOKENS;
    expect(json).toEqual({
      object: 'list',
      data: [BEST],
      model,
      usage: { total_tokens: tokens },
    });
    expect(await charged()).toBe(COSTS[name]);
  });

  it('has the documents of the request where they are asked for', async () => {
    const documents = [{ text: 'Homer', id: 1 }, 'Sappho'];
    const { json } = await ask('/v1/rerank', { model, documents, return_documents: true });
    expect(json).toMatchObject({
      results: [
        { index: 1, document: { text: 'Sappho' } },
        { index: 0, document: { text: 'Homer', id: 1 } },
      ],
    });
    expect(vendors[name].bodies[0]?.['documents']).toEqual(['Homer', 'Sappho']);
    await charged();
  });
});

describe('a bill', () => {
  it('says the units and the tokens that the upstream reports', async () => {
    const { json: byUnits } = await ask('/v2/rerank', { model: MODELS.cohere });
    expect(byUnits).toMatchObject({ meta: { billed_units: { search_units: SEARCH_UNITS } } });
    const { json: byTokens } = await ask('/v1/rerank', { model: MODELS.jina });
    expect(byTokens).toMatchObject({ usage: { total_tokens: RANK_TOKENS } });
    await charged();
  });

  it('says in the usage what it costs, where the client asks', async () => {
    const asked = { model: MODELS.jina, usage: { include: true } };
    const { json } = await ask('/v1/rerank', asked);
    expect(json).toMatchObject({ usage: { cost: (RANK_TOKENS * PER_TOKEN) / USD } });
    await charged();
  });

  it('is capped to the units that the request can lead to', async () => {
    vendors.cohere.change = (reply) => ({
      ...reply,
      meta: { billed_units: { search_units: 1_000_000 } },
    });
    await ask('/v2/rerank', { model: MODELS.cohere });
    expect(await charged()).toBe(PER_UNIT);
  });

  it('is for the units that the upstream reports, not for those that are estimated', async () => {
    const meta = { billed_units: { search_units: 2 } };
    vendors.cohere.change = (reply) => ({ ...reply, meta });
    // One unit by four bytes a token, three by one.
    const documents = Array.from({ length: 100 }, () => 'word '.repeat(240));
    await ask('/v2/rerank', { model: MODELS.cohere, documents });
    expect(await charged()).toBe(2 * PER_UNIT);
    expect(await lastRecord(2 * PER_UNIT)).toMatchObject({ estimated: false });
  });

  it.each([
    ['billed units', { billed_units: { total_tokens: 56 } }],
    ['tokens', { billed_units: {}, tokens: { input_tokens: 56 } }],
  ])('is for tokens that a server reports among its %s', async (_name, meta) => {
    vendors.jina.change = ({ results }) => ({ results, meta });
    const { json } = await ask('/v1/rerank', { model: MODELS.jina });
    expect(json).toMatchObject({ usage: { total_tokens: 56 } });
    expect(await charged()).toBe(56 * PER_TOKEN);
  });

  it.each([
    ['no units at all', {}],
    ['empty ones', { billed_units: {}, tokens: {} }],
    ['tokens alone', { billed_units: { total_tokens: 56 } }],
  ])('is for one unit where the model is sold by them and %s come', async (_name, meta) => {
    vendors.cohere.change = (reply) => ({ ...reply, meta });
    await ask('/v2/rerank', { model: MODELS.cohere });
    expect(await charged()).toBe(PER_UNIT);
    expect(await lastRecord(PER_UNIT)).toMatchObject({ estimated: true });
  });

  it('counts units where none are reported, which is marked', async () => {
    vendors.cohere.change = (reply) => ({ ...reply, meta: {} });
    // 101 texts are two units.
    const documents = Array.from({ length: 101 }, (_, at) => `text ${at}`);
    await ask('/v2/rerank', { model: MODELS.cohere, documents });
    expect(await charged()).toBe(2 * PER_UNIT);
    expect(await lastRecord(2 * PER_UNIT)).toMatchObject({ estimated: true });
  });

  it('counts tokens where none are reported, the query once for each text', async () => {
    vendors.jina.change = ({ results }) => ({ results });
    const { json } = await ask('/v1/rerank', { model: MODELS.jina });
    const cost = await charged();
    const tokens = cost / PER_TOKEN;
    // Four tokens of the query for each of three texts, and the texts.
    expect(tokens).toBeGreaterThan(4 * TEXTS.length);
    expect(json).toMatchObject({ usage: { total_tokens: tokens } });
    expect(await lastRecord(cost)).toMatchObject({ estimated: true });
  });
});

describe('a request to rank', () => {
  it('that Voyage refuses says why, and costs nothing', async () => {
    const asked = { model: MODELS.voyage, documents: ['Homer', ''] };
    const { status, json } = await ask('/v1/rerank', asked);
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain('Input cannot contain empty strings');
    expect(await charged()).toBe(0);
  });

  it.each([
    ['without documents', { documents: undefined }, 'documents'],
    ['of no documents', { documents: [] }, 'documents'],
    ['of images', { documents: [{ image: 'https://example.com/a.png' }] }, 'documents'],
    ['without a query', { query: undefined }, 'query'],
    ['for none', { top_n: 0 }, 'top_n'],
  ])('%s is refused', async (_name, change, param) => {
    const { status, json } = await ask('/v1/rerank', { model: MODELS.jina, ...change });
    expect(status).toBe(400);
    const { message } = (json as { error: { message: string } }).error;
    // Where Cohere's and Voyage's clients look for it.
    expect(json).toMatchObject({ error: { param }, message, detail: message });
    expect(vendors.jina.bodies).toEqual([]);
  });

  it('has objects ranked by the fields that it names', async () => {
    const documents = [{ title: 'Iliad', by: 'Homer', id: 7 }];
    await ask('/v1/rerank', { model: MODELS.cohere, documents, rank_fields: ['title', 'by'] });
    expect(vendors.cohere.bodies[0]?.['documents']).toEqual(['title: Iliad\nby: Homer']);
    await charged();
  });

  it.each([
    ['a place beyond the texts', [{ index: 3, relevance_score: 1 }]],
    ['no score', [{ index: 0 }]],
  ])('that is answered with %s costs nothing', async (_name, results) => {
    vendors.jina.change = (reply) => ({ ...reply, results });
    expect((await ask('/v1/rerank', { model: MODELS.jina })).status).toBe(502);
    expect(await charged()).toBe(0);
  });
});
