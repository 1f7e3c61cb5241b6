import autocannon from 'autocannon';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../../gateway/postgres/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/fake-upstream.ts';
import { openTestLedger, settledState } from '../../support/money.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { redisUrl } from '../../support/redis.ts';
import { seed, type Seeded } from '../../support/seed.ts';
import { startWeir, type Weir } from '../../support/weir.ts';

const REQUESTS = 10_000;
const AFFORDABLE = 3_000;
const PROMPT_TOKENS = 8;
const OUTPUT_TOKENS = 5;
/** 8 tokens at 2 USD and 5 at 10 USD per million. */
const COST = PROMPT_TOKENS * 2_000 + OUTPUT_TOKENS * 10_000;

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeUpstream;
let seeded: Seeded;
let weir: Weir;
let redis: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  upstream = await startFakeUpstream();
  upstream.behave('*', {
    kind: 'reply',
    usage: {
      prompt_tokens: PROMPT_TOKENS,
      completion_tokens: OUTPUT_TOKENS,
      total_tokens: PROMPT_TOKENS + OUTPUT_TOKENS,
    },
  });
  seeded = await seed(pool, { upstreams: [upstream.url], creditNanoUsd: AFFORDABLE * COST });
  redis = await redisUrl();
  weir = await startWeir({
    DATABASE_URL: database.url,
    REDIS_URL: redis,
    LOG_LEVEL: 'warn',
    GATEWAY_THREADS: '2',
  });
});

afterAll(async () => {
  expect(await weir.end('SIGTERM')).toBe(0);
  await upstream.close();
  await pool.end();
  await database.drop();
});

test('of 10,000 requests against a balance for 3,000, exactly 3,000 succeed and each leaves one record', async () => {
  const result = await autocannon({
    url: `${weir.url}/v1/chat/completions`,
    method: 'POST',
    connections: 50,
    amount: REQUESTS,
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    // The exact prompt and max_tokens make a hold equal to the cost: what fits is then a whole number.
    body: JSON.stringify({
      model: 'test-model',
      max_tokens: OUTPUT_TOKENS,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  const statuses = Object.fromEntries(
    Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count]),
  );
  expect(statuses).toEqual({ '200': AFFORDABLE, '402': REQUESTS - AFFORDABLE });

  const { ledger, close } = await openTestLedger(pool, redis);
  const state = await settledState(ledger, seeded.accountId);
  await close();
  expect(state).toMatchObject({ availableNanoUsd: 0, heldNanoUsd: 0, owedNanoUsd: 0 });

  // SIGTERM drains what still waits in Redis; then every success is in the book, and nothing else.
  const deadlineMs = Date.now() + 20_000;
  let book = { records: 0, charged: 0 };
  while (book.records < AFFORDABLE && Date.now() < deadlineMs) {
    const { rows } = await pool.query<typeof book>(
      `select count(*)::int as records, coalesce(sum(balance_nano_usd), 0)::bigint as charged
       from usage_records where account_id = $1`,
      [seeded.accountId],
    );
    book = rows[0] ?? book;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(book).toEqual({ records: AFFORDABLE, charged: AFFORDABLE * COST });
});
