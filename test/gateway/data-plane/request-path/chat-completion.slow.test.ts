import OpenAI, { APIError } from 'openai';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import {
  HTML_REPLY,
  startFakeUpstream,
  type FakeUpstream,
} from '../../../support/upstreams/fake-upstream.ts';
import { until } from '../../../support/clocks/hang.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import { seed, TEST_PRICES, type Seeded } from '../../../support/seed.ts';

const CREDIT = 100_000_000_000;
const MULTIPLIER_PPM = 1_500_000;

/** The bill by hand, in BigInt: tokens x price x multiplier, rounded up once. */
function costOf(input: number, output: number): number {
  const sum =
    (BigInt(input) * BigInt(TEST_PRICES.inputNanoUsd) +
      BigInt(output) * BigInt(TEST_PRICES.outputNanoUsd)) *
    BigInt(MULTIPLIER_PPM);
  const unit = 1_000_000n * 1_000_000n;
  return Number((sum + unit - 1n) / unit);
}

/** Gemini's answer to a wrong key. */
const BAD_CREDENTIAL = [{ error: { code: 400, details: [{ reason: 'API_KEY_INVALID' }] } }];

const ask = { model: 'test-model', messages: [{ role: 'user' as const, content: 'Hello' }] };

describe.each(['redis', 'postgres'] as const)(
  'a chat completion with the ledger in %s',
  (store) => {
    let database: TestDatabase;
    let pool: pg.Pool;
    let first: FakeUpstream;
    let second: FakeUpstream;
    let seeded: Seeded;
    let gateway: TestGateway;
    let ledger: Ledger;
    let closeLedger: () => Promise<void>;
    let client: OpenAI;
    let spent = 0;

    beforeAll(async () => {
      database = await createDatabase();
      pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
      first = await startFakeUpstream();
      second = await startFakeUpstream();
      seeded = await seed(pool, {
        upstreams: [first.url, second.url],
        creditNanoUsd: CREDIT,
        multiplierPpm: MULTIPLIER_PPM,
        models: [{ publicId: 'test-model', upstreamName: 'upstream-model' }],
      });
      const redis = store === 'redis' ? await redisUrl() : null;
      gateway = await startGateway({ databaseUrl: database.url, redisUrl: redis });
      ({ ledger, close: closeLedger } = await openTestLedger(pool, redis));
      client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: seeded.key, maxRetries: 0 });
    });

    afterAll(async () => {
      expect(await gateway.close()).toBe(0);
      await closeLedger();
      await first.close();
      await second.close();
      await pool.end();
      await database.drop();
    });

    /**
     * A channel that failed in the test before may still rest: waits until the first one serves
     * again.
     */
    beforeEach(async () => {
      await until('the first channel serves', async () => {
        first.reset();
        second.reset();
        await client.chat.completions.create(ask);
        return first.requests.length > 0;
      });
      first.reset();
      second.reset();
      await charged();
    });

    /** Returns the charge since the last call. */
    async function charged(): Promise<number> {
      const state = await settledState(ledger, seeded.accountId);
      expect(state.heldNanoUsd).toBe(0);
      const total = CREDIT - state.availableNanoUsd;
      const since = total - spent;
      spent = total;
      return since;
    }

    test('answers, and charges exactly tokens x price x multiplier', async () => {
      first.behave('*', {
        kind: 'reply',
        pieces: ['Good', ' day'],
        usage: { prompt_tokens: 13, completion_tokens: 7, total_tokens: 20 },
      });
      const reply = await client.chat.completions.create(ask);
      expect(reply.choices[0]?.message.content).toBe('Good day');
      expect(reply.model).toBe('test-model');
      expect(reply._request_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(await charged()).toBe(costOf(13, 7));
    });

    test('sends the upstream its own model name and credential, and never the client’s key', async () => {
      await client.chat.completions.create({ ...ask, safety_identifier: 'passed through' });
      const [request] = first.requests;
      expect(request?.headers['authorization']).toBe(`Bearer ${seeded.upstreamCredential}`);
      expect(request?.body).toMatchObject({
        model: 'upstream-model',
        safety_identifier: 'passed through',
      });
      expect(JSON.stringify(request)).not.toContain(seeded.key);
      await charged();
    });

    test('streams, ends with [DONE], sends usage only when asked, and charges what was reported', async () => {
      first.behave('*', {
        kind: 'reply',
        pieces: ['a', 'b', 'c'],
        usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
      });
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...ask, stream: true }),
      });
      const text = await response.text();
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
      expect(text).not.toContain('"usage":{');
      expect(first.requests[0]?.body).toMatchObject({ stream_options: { include_usage: true } });
      expect(await charged()).toBe(costOf(5, 3));

      const stream = await client.chat.completions.create({
        ...ask,
        stream: true,
        stream_options: { include_usage: true },
      });
      let content = '';
      let usage = 0;
      for await (const chunk of stream) {
        content += chunk.choices[0]?.delta.content ?? '';
        usage += chunk.usage?.total_tokens ?? 0;
      }
      expect(content).toBe('abc');
      expect(usage).toBe(8);
      await charged();
    });

    test('streams tool calls through', async () => {
      first.behave('*', {
        kind: 'reply',
        toolCalls: [{ id: 'call_1', name: 'weather', fragments: ['{"city"', ':"Oslo"}'] }],
      });
      const stream = client.chat.completions.stream({
        ...ask,
        tools: [
          { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } },
        ],
      });
      const completion = await stream.finalChatCompletion();
      const call = completion.choices[0]?.message.tool_calls?.[0];
      expect(call?.type === 'function' ? call.function.arguments : undefined).toBe(
        '{"city":"Oslo"}',
      );
      expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
      await charged();
    });

    test('counts tokens itself when the upstream reports none, and marks the record', async () => {
      first.behave('*', { kind: 'reply', pieces: ['Hello', ' world'], usage: 'absent' });
      await client.chat.completions.create(ask);
      // "Hello" in a user message is 8 tokens with OpenAI's overhead; "Hello world" is 2.
      expect(await charged()).toBe(costOf(8, 2));
    });

    test.each([
      ['refuses connections', undefined],
      ['answers 500', { kind: 'status', status: 500 }],
      ['answers 429', { kind: 'status', status: 429, retryAfter: '0' }],
      ['answers 401', { kind: 'status', status: 401 }],
      ['answers 400 to its credential', { kind: 'status', status: 400, body: BAD_CREDENTIAL }],
      ['answers HTML with status 200', HTML_REPLY],
      ['sends an error event first', { kind: 'reply', end: 'error_event', cutAfterEvents: 0 }],
      ['resets the connection before content', { kind: 'reply', end: 'reset', cutAfterEvents: 1 }],
    ] as const)('uses the next channel when the first %s', async (_name, behaviour) => {
      if (behaviour === undefined) await first.refuse();
      else first.behave('*', behaviour);
      second.behave('*', { kind: 'reply', pieces: ['from the second'] });
      const stream = await client.chat.completions.create({ ...ask, stream: true });
      let content = '';
      for await (const chunk of stream) content += chunk.choices[0]?.delta.content ?? '';
      expect(content).toBe('from the second');
      expect(second.requests).toHaveLength(1);
      if (behaviour === undefined) await first.accept();
      await charged();
      await gateway.republish();
    });

    test('charges nothing and answers 502 when every channel fails before content', async () => {
      await charged();
      first.behave('*', { kind: 'status', status: 500 });
      second.behave('*', { kind: 'status', status: 503 });
      const failure = await client.chat.completions.create(ask).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(APIError);
      expect((failure as APIError).status).toBe(502);
      expect(await charged()).toBe(0);
    });

    test('passes the upstream’s own words on when it refuses the request', async () => {
      first.behave('*', {
        kind: 'status',
        status: 400,
        body: {
          error: {
            message: 'too long',
            type: 'invalid_request_error',
            param: 'messages',
            code: 'context_length_exceeded',
          },
        },
      });
      const failure = (await client.chat.completions
        .create(ask)
        .catch((error: unknown) => error)) as APIError;
      expect(failure.status).toBe(400);
      expect(failure.code).toBe('context_length_exceeded');
      expect(failure.param).toBe('messages');
      expect(second.requests).toHaveLength(0);
      expect(await charged()).toBe(0);
    });

    test.each(['reset', 'eof'] as const)(
      'ends a stream that breaks midway (%s) with an error event and charges what was delivered',
      async (end) => {
        first.behave('*', {
          kind: 'reply',
          pieces: ['Hello', ' world', ' never', ' sent'],
          end,
          cutAfterEvents: 3,
        });
        const stream = await client.chat.completions.create({ ...ask, stream: true });
        let content = '';
        const failure = await (async () => {
          for await (const chunk of stream) content += chunk.choices[0]?.delta.content ?? '';
          return undefined;
        })().catch((error: unknown) => error);
        expect(content).toBe('Hello world');
        expect(failure).toBeInstanceOf(APIError);
        expect(await charged()).toBe(costOf(8, 2));
      },
    );

    test('aborts the upstream when the client leaves and charges what was delivered', async () => {
      // The role, five pieces of a token each, and no more for as long as anybody listens.
      const broken = { end: 'hang', cutAfterEvents: 6 } as const;
      first.behave('*', { kind: 'reply', pieces: 1_000, pieceDelayMs: 20, ...broken });
      const stream = await client.chat.completions.create({ ...ask, stream: true });
      let chunks = 0;
      for await (const chunk of stream) {
        if (chunk.choices[0]?.delta.content) chunks += 1;
        if (chunks === 5) break;
      }
      expect(await charged()).toBe(costOf(8, 5));
      await first.requests[0]?.closed;
      expect(first.requests[0]?.outcome).toBe('client_disconnected');
    });

    test('refuses what the balance does not cover and names what it would cover', async () => {
      const poor = await seed(pool, {
        upstreams: [first.url],
        creditNanoUsd: 100_000,
        models: [{ publicId: `poor-model-${store}` }],
      });
      await gateway.republish();
      const poorClient = new OpenAI({
        baseURL: `${gateway.url}/v1`,
        apiKey: poor.key,
        maxRetries: 0,
      });
      const question = { ...ask, model: `poor-model-${store}` };
      const refused = (await poorClient.chat.completions
        .create({ ...question, max_completion_tokens: 16_000 })
        .catch((error: unknown) => error)) as APIError;
      expect(refused.status).toBe(402);
      expect(refused.code).toBe('insufficient_balance');
      const affordable = Number(/covers max_tokens = (\d+)/.exec(refused.message)?.[1]);
      // 8 prompt tokens at 2 USD and n output tokens at 10 USD per million fit into 100,000
      // nanodollars.
      expect(affordable).toBe(8);
      first.behave('*', {
        kind: 'reply',
        usage: { prompt_tokens: 8, completion_tokens: 8, total_tokens: 16 },
      });
      await poorClient.chat.completions.create({ ...question, max_completion_tokens: affordable });
      const state = await settledState(ledger, poor.accountId);
      expect(state.availableNanoUsd).toBe(100_000 - 8 * 2_000 - 8 * 10_000);
    });

    test('answers in the shape SDKs expect for every kind of wrong request', async () => {
      const send = async (body: string, headers: Record<string, string> = {}) => {
        const response = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${seeded.key}`,
            'content-type': 'application/json',
            origin: 'https://chat.example',
            ...headers,
          },
          body,
        });
        const { error } = (await response.json()) as { error: Record<string, unknown> };
        expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        return [response.status, error['code'], error['param']];
      };
      const valid = JSON.stringify(ask);
      expect(await send('{')).toEqual([400, 'invalid_json', null]);
      expect(await send('{}')).toEqual([400, 'missing_required_parameter', 'model']);
      expect(await send(valid, { 'content-type': 'text/plain' })).toEqual([
        415,
        'unsupported_media_type',
        null,
      ]);
      expect(await send(valid, { authorization: '' })).toEqual([401, 'missing_api_key', null]);
      // Who has no key is told nothing about the rest of the request.
      const stranger = {
        authorization: `Bearer sk-${'0'.repeat(43)}`,
        'content-type': 'text/plain',
      };
      expect(await send(valid, stranger)).toEqual([401, 'invalid_api_key', null]);
      expect(await send(JSON.stringify({ ...ask, model: 'TEST-model' }))).toEqual([
        404,
        'model_not_found',
        'model',
      ]);
    });
  },
);
