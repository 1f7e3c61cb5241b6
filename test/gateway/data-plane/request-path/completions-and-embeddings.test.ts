import OpenAI, { APIError } from 'openai';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import {
  startScriptedUpstream,
  type ScriptedUpstream,
} from '../../../support/upstreams/scripted-upstream.ts';
import { seed, TEST_PRICES, type Seeded } from '../../../support/seed.ts';

const CREDIT = 100_000_000_000;
const PER_MILLION = 1_000_000;
const DONE = 'data: [DONE]\n\n';
const model = 'test-model';

function costOf(input: number, output: number): number {
  return (input * TEST_PRICES.inputNanoUsd + output * TEST_PRICES.outputNanoUsd) / PER_MILLION;
}

function usageOf(input: number, output: number): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function completion(choices: object[], extra: object = {}): Record<string, unknown> {
  const frame = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'upstream-model' };
  return { ...frame, choices, ...extra };
}

function text(said: string, index = 0, reason: string | null = 'stop'): object {
  return { text: said, index, logprobs: null, finish_reason: reason };
}

function event(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function embeddings(vectors: unknown[], extra: object = {}): Record<string, unknown> {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  return { object: 'list', data, model: 'upstream-model', ...extra };
}

let database: TestDatabase;
let pool: pg.Pool;
let upstream: ScriptedUpstream;
let seeded: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let client: OpenAI;
let spent = 0;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  upstream = await startScriptedUpstream();
  seeded = await seed(pool, {
    upstreams: [upstream.url],
    creditNanoUsd: CREDIT,
    models: [{ publicId: model, upstreamName: 'upstream-model' }],
  });
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: seeded.key, maxRetries: 0 });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  await upstream.close();
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  upstream.requests.length = 0;
});

/** Returns the charge since the last call; nothing stays held or owed. */
async function charged(): Promise<number> {
  const state = await settledState(ledger, seeded.accountId);
  expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0, inFlight: 0 });
  const total = CREDIT - state.availableNanoUsd;
  const since = total - spent;
  spent = total;
  return since;
}

/** A client whose account covers so much and no more. */
async function clientWith(creditNanoUsd: number, publicId: string): Promise<OpenAI> {
  const poor = await seed(pool, {
    upstreams: [upstream.url],
    creditNanoUsd,
    models: [{ publicId }],
  });
  await gateway.republish();
  return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: poor.key, maxRetries: 0 });
}

describe('POST /v1/completions', () => {
  it('charges what the upstream reported, under the public name of the model', async () => {
    upstream.reply = completion([text(' a time')], { usage: usageOf(11, 3) });
    const reply = await client.completions.create({ model, prompt: 'Once upon', max_tokens: 3 });
    expect(reply).toMatchObject({ model, choices: [{ text: ' a time', finish_reason: 'stop' }] });
    expect(upstream.requests).toEqual([
      {
        path: '/v1/completions',
        body: { model: 'upstream-model', prompt: 'Once upon', max_tokens: 3 },
      },
    ]);
    expect(await charged()).toBe(costOf(11, 3));
  });

  it('streams, and tells usage to those who ask', async () => {
    upstream.reply = [
      event(completion([text(' a', 0, null)])),
      event(completion([text(' time', 0, null)])),
      event(completion([text('', 0, 'length')])),
      event(completion([], { usage: usageOf(11, 2) })),
      DONE,
    ];
    const ask = { model, prompt: 'Once upon', stream: true } as const;
    for (const include_usage of [false, true]) {
      let said = '';
      let tokens = 0;
      const stream_options = { include_usage };
      for await (const chunk of await client.completions.create({ ...ask, stream_options })) {
        expect(chunk.model).toBe(model);
        said += chunk.choices[0]?.text ?? '';
        tokens += chunk.usage?.total_tokens ?? 0;
      }
      expect(said).toBe(' a time');
      expect(tokens).toBe(include_usage ? 13 : 0);
      expect(await charged()).toBe(costOf(11, 2));
    }
    expect(upstream.requests[0]?.body).toMatchObject({
      stream_options: { include_usage: true },
      max_tokens: 16,
    });
  });

  it('bills every candidate of best_of, and holds for them', async () => {
    upstream.reply = completion([text('x')], { usage: usageOf(4, 40) });
    await client.completions.create({ model, prompt: 'a', best_of: 4, max_tokens: 10 });
    expect(await charged()).toBe(costOf(4, 40));

    // Enough for the prompt and two candidates.
    const poor = await clientWith(costOf(500, 20), 'best-of-model');
    const ask = { model: 'best-of-model', prompt: 'a', max_tokens: 10 };
    const refused: unknown = await poor.completions
      .create({ ...ask, best_of: 16 })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(APIError);
    expect(refused).toMatchObject({ status: 402, code: 'insufficient_balance' });
    await expect(poor.completions.create(ask)).resolves.toBeDefined();
  });

  it('counts what the upstream did not report, but not the prompt that comes back', async () => {
    const ask = { model, prompt: 'Hello world', echo: true };
    upstream.reply = completion([text('Hello world and all')]);
    const reply = await client.completions.create(ask);
    expect(reply.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 2 });
    expect(await charged()).toBe(costOf(2, 2));

    upstream.reply = [event(completion([text('Hello world and all')])), DONE];
    const stream = await client.completions.create({ ...ask, stream: true });
    for await (const chunk of stream) expect(chunk.choices).toHaveLength(1);
    expect(await charged()).toBe(costOf(2, 2));
  });

  it('charges nothing where the upstream failed, and for what came where it broke off', async () => {
    upstream.reply = { error: { message: 'broken' } };
    const ask = { model, prompt: 'Hello world' };
    await expect(client.completions.create(ask)).rejects.toMatchObject({ status: 502 });
    expect(await charged()).toBe(0);

    await gateway.republish();
    upstream.reply = [event(completion([text('Hello world', 0, null)]))];
    const stream = await client.completions.create({ ...ask, stream: true });
    await expect(
      (async () => {
        for await (const chunk of stream) expect(chunk.choices[0]?.text).toBe('Hello world');
      })(),
    ).rejects.toBeInstanceOf(APIError);
    expect(await charged()).toBe(costOf(2, 2));
  });
});

describe('POST /v1/embeddings', () => {
  const VECTORS = [
    [0.5, -1],
    [0.25, 0],
  ];

  it.each([
    ['numbers', { encoding_format: 'float' as const }],
    ['base64, as the SDK asks for by itself', {}],
  ])('brings %s, and charges the input alone', async (_name, format) => {
    const packed = VECTORS.map((vector) =>
      Buffer.from(new Float32Array(vector).buffer).toString('base64'),
    );
    const vectors = 'encoding_format' in format ? VECTORS : packed;
    upstream.reply = embeddings(vectors, { usage: { prompt_tokens: 9, total_tokens: 9 } });
    const input = ['one', 'two'];
    const reply = await client.embeddings.create({ model, input, dimensions: 2, ...format });
    expect(reply.data.map(({ embedding }) => [...embedding])).toEqual(VECTORS);
    expect(reply.model).toBe(model);
    expect(upstream.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      body: { model: 'upstream-model', input, dimensions: 2 },
    });
    expect(await charged()).toBe(costOf(9, 0));
    const { rows } = await pool.query<{ status: string; cost: number }>(
      `select status, cost_nano_usd as cost from usage_records
       where account_id = $1 order by created_at desc limit 1`,
      [seeded.accountId],
    );
    expect(rows).toEqual([{ status: 'completed', cost: costOf(9, 0) }]);
  });

  it('reads numbers where the upstream knows no base64', async () => {
    upstream.reply = embeddings(VECTORS, { usage: { prompt_tokens: 2, total_tokens: 2 } });
    const reply = await client.embeddings.create({ model, input: ['one', 'two'] });
    expect(reply.data.map(({ embedding }) => [...embedding])).toEqual(VECTORS);
    expect(await charged()).toBe(costOf(2, 0));
  });

  it.each([
    ['a text', 'Hello world', 2],
    ['texts', ['Hello world', 'Hello'], 3],
    ['tokens', [1, 2, 3], 3],
    ['several of them', [[1, 2], [3]], 3],
  ])('counts %s where the upstream reports no usage', async (_name, input, tokens) => {
    upstream.reply = embeddings(VECTORS);
    const reply = await client.embeddings.create({ model, input, encoding_format: 'float' });
    expect(reply.usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
    expect(await charged()).toBe(costOf(tokens, 0));
  });

  it('holds nothing for output', async () => {
    // One output token costs as much as five of input; "Hello" is one, bounded by the body's bytes.
    const poor = await clientWith(costOf(1, 0), 'embedding-model');
    upstream.reply = embeddings(VECTORS, { usage: { prompt_tokens: 1, total_tokens: 1 } });
    const ask = { model: 'embedding-model', input: 'Hello' };
    await expect(poor.embeddings.create(ask)).resolves.toBeDefined();
    await expect(poor.embeddings.create(ask)).rejects.toMatchObject({
      status: 402,
      code: 'insufficient_balance',
      param: null,
    });
  });

  it('charges nothing for what is no reply', async () => {
    upstream.reply = { error: { message: 'broken' } };
    await expect(client.embeddings.create({ model, input: 'x' })).rejects.toMatchObject({
      status: 502,
    });
    expect(await charged()).toBe(0);
  });
});
