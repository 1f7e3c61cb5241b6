import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import {
  geminiEvent,
  startFakeGemini,
  type FakeGemini,
} from '../../../support/upstreams/fake-gemini.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, type Seeded } from '../../../support/seed.ts';

const CREDIT = 100_000_000_000;
const USD = 1_000_000_000;

/** The bill by hand, at 2 USD a million of input, 0.5 of cached input and 10 of output. */
function costOf(input: number, cached: number, output: number): number {
  return (input - cached) * 2_000 + cached * 500 + output * 10_000;
}

const USAGE = {
  promptTokenCount: 1270,
  cachedContentTokenCount: 200,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 20,
  totalTokenCount: 1320,
};
const BILL = costOf(1270, 200, 50);

const ASK = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
const SIGNATURE = 'dGhvdWdodC1zaWduYXR1cmU+Lw==';

const PROMPT_USAGE = { promptTokenCount: 1270, totalTokenCount: 1270 };

function chunk(parts: readonly object[], more: object = {}): object {
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    usageMetadata: PROMPT_USAGE,
    modelVersion: 'upstream-model',
    responseId: 'r1',
  };
}

const EVENTS = [
  geminiEvent(chunk([{ text: '**Short thought**', thought: true }])),
  geminiEvent(chunk([{ text: 'I will run it.' }])),
  geminiEvent({
    ...chunk(
      [{ functionCall: { name: 'bash', args: { command: 'ls' } }, thoughtSignature: SIGNATURE }],
      { finishReason: 'STOP' },
    ),
    usageMetadata: USAGE,
  }),
];

const REPLY = {
  ...chunk([{ text: 'Good day' }], { finishReason: 'STOP' }),
  usageMetadata: USAGE,
};

describe('a Gemini client on a Gemini upstream', () => {
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
      models: [{ publicId: 'test-model', upstreamName: 'upstream-model' }],
    });
    await pool.query(`update channels set kind = 'gemini'`);
    await pool.query('update prices set cached_input_nano_usd = $1', [USD / 2]);
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
    upstream.reply = { json: REPLY };
  });

  function post(path: string, body: object, headers: Record<string, string> = {}) {
    return fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': seeded.key, ...headers },
      body: JSON.stringify(body),
    });
  }

  /** Returns the charge since the last call. */
  async function charged(): Promise<number> {
    const state = await settledState(ledger, seeded.accountId);
    expect(state.heldNanoUsd).toBe(0);
    const total = CREDIT - state.availableNanoUsd;
    const since = total - spent;
    spent = total;
    return since;
  }

  test('answers under the public name, and charges cached input and thoughts exactly', async () => {
    const response = await post('/v1beta/models/test-model:generateContent', ASK);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ...REPLY, modelVersion: 'test-model' });
    expect(upstream.calls[0]).toMatchObject({
      path: '/v1beta/models/upstream-model:generateContent',
      body: ASK,
    });
    expect(upstream.calls[0]?.headers['x-goog-api-key']).toBe(seeded.upstreamCredential);
    expect(JSON.stringify(upstream.calls)).not.toContain(seeded.key);
    expect(await charged()).toBe(BILL);
  });

  test('streams events without comments, and ends with finishReason and usage once', async () => {
    upstream.reply = { events: EVENTS };
    const response = await post('/v1/models/test-model:streamGenerateContent?alt=sse', ASK);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const text = await response.text();
    expect(text).toBe(EVENTS.join('').replaceAll('upstream-model', 'test-model'));
    expect(upstream.calls[0]?.path).toBe(
      '/v1beta/models/upstream-model:streamGenerateContent?alt=sse',
    );
    expect(await charged()).toBe(BILL);
  });

  test('streams one JSON array where no events are asked for', async () => {
    upstream.reply = { events: EVENTS };
    const response = await post('/v1beta/models/test-model:streamGenerateContent', ASK);
    expect(response.headers.get('content-type')).toContain('application/json');
    const replies = (await response.json()) as { modelVersion: string }[];
    expect(replies).toHaveLength(EVENTS.length);
    expect(replies.map(({ modelVersion }) => modelVersion)).toContain('test-model');
    expect(upstream.calls[0]?.path).toContain('alt=sse');
    expect(await charged()).toBe(BILL);
  });

  test('takes the key from the query and as a bearer token', async () => {
    const path = `/v1beta/models/test-model:generateContent?key=${seeded.key}`;
    const byQuery = await post(path, ASK, { 'x-goog-api-key': '' });
    const bearer = { authorization: `Bearer ${seeded.key}`, 'x-goog-api-key': '' };
    const byBearer = await post('/v1beta/models/test-model:generateContent', ASK, bearer);
    expect([byQuery.status, byBearer.status]).toEqual([200, 200]);
    expect(JSON.stringify(upstream.calls)).not.toContain(seeded.key);
    expect(await charged()).toBe(2 * BILL);
  });

  test('a stream that is cut ends in an error event, and is charged by what was delivered', async () => {
    upstream.reply = { events: EVENTS.slice(0, 2), cut: true };
    const response = await post('/v1beta/models/test-model:streamGenerateContent?alt=sse', ASK);
    const text = await response.text();
    expect(text).toMatch(/data: \{"error":\{"code":502,.*"status":"UNAVAILABLE".*\n\n$/);
    expect(text).not.toContain('finishReason');
    const cost = await charged();
    expect(cost).toBeGreaterThan(costOf(1270, 0, 0));
    expect(cost).toBeLessThan(costOf(1270, 0, 20));
  });

  test('a stream that ends without a finishReason is no whole reply', async () => {
    upstream.reply = { events: EVENTS.slice(0, 2) };
    const response = await post('/v1beta/models/test-model:streamGenerateContent', ASK);
    const replies = (await response.json()) as object[];
    expect(replies.at(-1)).toHaveProperty('error.code', 502);
    await charged();
  });

  test('a blocked prompt is refused, and nothing is charged', async () => {
    const promptFeedback = { blockReason: 'PROHIBITED_CONTENT' };
    upstream.reply = { json: { promptFeedback, usageMetadata: PROMPT_USAGE } };
    const whole = await post('/v1beta/models/test-model:generateContent', ASK);
    expect(whole.status).toBe(400);
    upstream.reply = { events: [geminiEvent({ promptFeedback, usageMetadata: PROMPT_USAGE })] };
    const stream = await post('/v1beta/models/test-model:streamGenerateContent?alt=sse', ASK);
    expect(stream.status).toBe(400);
    expect(await stream.json()).toMatchObject({ error: { status: 'INVALID_ARGUMENT' } });
    expect(await charged()).toBe(0);
  });

  test('counts tokens as the upstream does, without a charge (new-api #7283)', async () => {
    upstream.reply = { json: { totalTokens: 77 } };
    const response = await post('/v1beta/models/test-model:countTokens', ASK);
    expect(await response.json()).toEqual({ totalTokens: 77 });
    expect(await charged()).toBe(0);
  });

  test('counts tokens by itself where the upstream does not', async () => {
    upstream.reply = { status: 404, json: {} };
    const response = await post('/v1beta/models/test-model:countTokens', ASK);
    const { totalTokens } = (await response.json()) as { totalTokens: number };
    expect(totalTokens).toBeGreaterThan(1);
    const within = { generateContentRequest: { model: 'models/test-model', ...ASK } };
    const again = await post('/v1/models/test-model:countTokens', within);
    expect(await again.json()).toEqual({ totalTokens });
    // Asked once, it is left alone.
    expect(upstream.calls.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/v1beta\/models\/[^:]+:countTokens$/),
    ]);
    expect(await charged()).toBe(0);
  });

  test('lists models in Gemini’s shape to Gemini’s clients alone', async () => {
    const headers = { 'x-goog-api-key': seeded.key };
    const bearer = { authorization: `Bearer ${seeded.key}` };
    const get = async (path: string, sent: Record<string, string>): Promise<unknown> =>
      (await fetch(gateway.url + path, { headers: sent })).json();
    const shown = {
      name: 'models/test-model',
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    };
    expect(await get('/v1beta/models', bearer)).toMatchObject({ models: [shown] });
    expect(await get('/v1/models', headers)).toMatchObject({ models: [shown] });
    expect(await get('/v1beta/models/test-model', headers)).toMatchObject(shown);
    expect(await get('/v1/models', bearer)).toHaveProperty('data');
    expect(await get('/v1beta/openai/models', bearer)).toHaveProperty('data');
  });

  test('tells errors in Gemini’s shape, in an array where the stream would be one', async () => {
    const unknown = await post('/v1beta/models/no-model:generateContent', ASK);
    expect(unknown.status).toBe(404);
    expect(unknown.headers.get('x-should-retry')).toBe('false');
    expect(await unknown.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } });
    const wrongKey = { 'x-goog-api-key': 'sk-wrong' };
    const path = '/v1beta/models/test-model:streamGenerateContent';
    const array = await post(path, ASK, wrongKey);
    expect(array.status).toBe(401);
    expect(await array.json()).toMatchObject([{ error: { status: 'UNAUTHENTICATED' } }]);
    const interactions = await post('/v1beta/interactions', ASK);
    expect(await interactions.json()).toMatchObject({ error: { status: 'NOT_FOUND' } });
  });

  test('an upstream’s limit is told with the time to wait', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' }];
    const error = { code: 429, message: 'no', status: 'RESOURCE_EXHAUSTED', details };
    upstream.reply = { status: 429, json: [{ error }] };
    const response = await post('/v1beta/models/test-model:generateContent', ASK);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('2');
    const { error: told } = (await response.json()) as { error: { details: object[] } };
    expect(told.details).toContainEqual(details[0]);
    await charged();
  });
});
