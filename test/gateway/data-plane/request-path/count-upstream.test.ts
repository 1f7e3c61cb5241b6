/** Tokens are counted by the upstream that knows its model, else here; it is free either way. */
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startFakeGemini, type FakeGemini } from '../../../support/upstreams/fake-gemini.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, type Seeded } from '../../../support/seed.ts';
import { VENDOR_UPSTREAMS } from '../settlement/support/cell-upstreams.ts';

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeGemini;
let seeded: Seeded;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  upstream = await startFakeGemini();
  seeded = await seed(pool, {
    upstreams: VENDOR_UPSTREAMS.map(() => upstream.url),
    models: VENDOR_UPSTREAMS.map(({ name: protocol }) => ({
      publicId: `on-${protocol}`,
      upstreamName: `${protocol}-up`,
    })),
  });
  for (const [index, { kind, name: protocol, protocols }] of VENDOR_UPSTREAMS.entries()) {
    await pool.query('update channels set kind = $2, protocols = $3 where id = $1', [
      seeded.channelIds[index],
      kind,
      protocols,
    ]);
    await pool.query('delete from channel_models where channel_id = $1 and upstream_name <> $2', [
      seeded.channelIds[index],
      `${protocol}-up`,
    ]);
  }
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await upstream.close();
  const { rows } = await pool.query('select from usage_records');
  expect(rows).toEqual([]);
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  upstream.calls.length = 0;
});

const TURN = [{ role: 'user', content: 'foo' }];
const CONTENTS = [{ role: 'user', parts: [{ text: 'foo' }] }];

const COUNTERS = [
  {
    protocol: 'anthropic-messages',
    path: () => '/v1/messages/count_tokens?beta=true',
    body: (model: string) => ({ model, messages: TURN, tools: [] }),
    asked: '/v1/messages/count_tokens',
    count: (tokens: number) => ({ input_tokens: tokens }),
  },
  {
    protocol: 'openai-responses',
    path: () => '/v1/responses/input_tokens',
    body: (model: string) => ({ model, input: 'foo' }),
    asked: '/responses/input_tokens',
    count: (tokens: number) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
  {
    protocol: 'gemini',
    path: (model: string) => `/v1beta/models/${model}:countTokens`,
    body: () => ({ contents: CONTENTS }),
    asked: '/v1beta/models/gemini-up:countTokens',
    count: (tokens: number) => ({ totalTokens: tokens }),
  },
] as const;

type Counter = (typeof COUNTERS)[number];

async function count({ path, body }: Counter, served: string): Promise<unknown> {
  const model = `on-${served}`;
  const response = await fetch(gateway.url + path(model), {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body(model)),
  });
  expect(response.status).toBe(200);
  return response.json();
}

describe.each(COUNTERS)('a count of $protocol', (counter) => {
  const { protocol, asked, count: reply } = counter;

  it('is the upstream’s own, 28 at once', async () => {
    upstream.reply = { json: { ...reply(7_777), promptTokensDetails: [] } };
    const counts = await Promise.all(Array.from({ length: 28 }, () => count(counter, protocol)));
    for (const one of counts) expect(one).toEqual(reply(7_777));
    expect(new Set(upstream.calls.map(({ path }) => path))).toEqual(new Set([asked]));
    expect(upstream.calls.map(({ body }) => body['model'] ?? 'gemini-up')).toEqual(
      Array.from({ length: 28 }, () => `${protocol}-up`),
    );
  });

  it('is made here where the request is not for the upstream’s counter, which is asked again', async () => {
    for (const status of [400, 429]) {
      upstream.reply = { status, json: { error: { message: 'no' } } };
      expect(await count(counter, protocol)).not.toEqual(reply(7_777));
    }
    expect(upstream.calls).toHaveLength(2);
  });

  it('is made here where the upstream speaks another protocol', async () => {
    upstream.reply = { json: reply(7_777) };
    expect(await count(counter, 'openai-chat')).not.toEqual(reply(7_777));
    expect(upstream.calls).toEqual([]);
  });

  it.each([404, 500, 200])(
    'is made here where there is no counter, which is asked no more: %i',
    async (status) => {
      upstream.reply = { status, json: {} };
      expect(await count(counter, protocol)).not.toEqual(reply(7_777));
      expect(await count(counter, protocol)).not.toEqual(reply(7_777));
      // Asked once, by the first of these tests.
      expect(upstream.calls.length).toBeLessThanOrEqual(1);
    },
  );
});
