import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { HANG_MS, until } from '../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { readFunds } from '../../support/ledger/read-funds.ts';
import { redisUrl } from '../../support/stores/redis.ts';
import { seed, type Seeded } from '../../support/seed.ts';
import { startWeir, type Weir } from '../../support/weir.ts';
import { waitingEntries } from '../ledger/support/drain-all.ts';

const CREDIT = 1_000_000_000_000;
/** The least time that LEDGER_TIMEOUT_MS permits. */
const HOLD_TTL_MS = 10_000;
const FINISHED = 30;
const IN_FLIGHT = 20;
/** The upstream begins its reply to such a prompt and never ends it. */
const NEVER_ENDS = 'Never end';

// Its holds have to expire.
vi.setConfig({ testTimeout: 2 * HANG_MS });

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeUpstream;
let seeded: Seeded;
let env: Record<string, string>;
let redis: string;
let client: RedisClient;
let weir: Weir;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  upstream = await startFakeUpstream();
  upstream.behave('*', ({ rawBody }) =>
    rawBody.includes(NEVER_ENDS)
      ? { kind: 'reply', end: 'hang', cutAfterEvents: 2 }
      : { kind: 'reply', pieces: 4 },
  );
  seeded = await seed(pool, { upstreams: [upstream.url], creditNanoUsd: CREDIT });
  redis = await redisUrl();
  env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis,
    LOG_LEVEL: 'warn',
    GATEWAY_THREADS: '2',
    HOLD_TTL_MS: String(HOLD_TTL_MS),
    LEDGER_TIMEOUT_MS: '4000',
  };
  client = connectRedis(redis);
  await client.connect();
  weir = await startWeir(env);
});

afterAll(async () => {
  await weir.end('SIGKILL');
  client.disconnect();
  await upstream.close();
  await pool.end();
  await database.drop();
});

async function ask(url: string, prompt: string): Promise<Response> {
  return await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'test-model',
      stream: true,
      messages: [{ role: 'user', content: prompt }],
    }),
  });
}

const isWhole = (text: string): boolean => text.endsWith('data: [DONE]\n\n');

interface Book {
  readonly records: number;
  readonly distinct: number;
  readonly charged: number;
}

async function book(): Promise<Book> {
  const { rows } = await pool.query<Book>(
    `select count(*)::int as records, count(distinct request_id)::int as distinct,
            coalesce(sum(balance_nano_usd), 0)::bigint as charged
     from usage_records where account_id = $1`,
    [seeded.accountId],
  );
  if (rows[0] === undefined) throw new Error('no row');
  return rows[0];
}

test('kill -9 under load bills no request twice, loses no finished one, and leaves no hold', async () => {
  const killed = weir;
  const begun = await Promise.all(
    Array.from({ length: IN_FLIGHT }, () => ask(killed.url, NEVER_ENDS)),
  );
  const broken = Promise.allSettled(begun.map((response) => response.text()));
  const finished = await Promise.all(
    Array.from({ length: FINISHED }, async () => (await ask(killed.url, 'Hello')).text()),
  );
  expect(finished.filter(isWhole)).toHaveLength(FINISHED);
  expect((await readFunds(client, seeded.accountId))?.inFlight).toBeGreaterThanOrEqual(IN_FLIGHT);
  await killed.end('SIGKILL');
  expect((await broken).filter(({ status }) => status === 'fulfilled')).toEqual([]);

  weir = await startWeir(env);
  await until('the end of every hold', async () => {
    const funds = await readFunds(client, seeded.accountId);
    return funds?.inFlight === 0;
  });
  await until('every record', async () => (await book()).records >= FINISHED);
  await until('the drain of all usage', async () => (await waitingEntries(client)) === 0);
  const after = await book();
  expect(after.distinct).toBe(after.records);
  expect(await readFunds(client, seeded.accountId)).toEqual({
    available: CREDIT - after.charged,
    held: 0,
    owed: 0,
    inFlight: 0,
  });
});

test('SIGTERM under load finishes every request in flight and exits 0', async () => {
  upstream.reset();
  upstream.behave('*', { kind: 'reply', pieces: 4, pieceDelayMs: 500 });
  const replies = Array.from({ length: IN_FLIGHT }, async () =>
    (await ask(weir.url, 'Hello')).text(),
  );
  await until('every request upstream', () => upstream.requests.length === IN_FLIGHT);
  const code = weir.end('SIGTERM');
  const texts = await Promise.allSettled(replies);
  const broken = texts.filter((text) => text.status === 'rejected' || !isWhole(text.value));
  expect(broken).toEqual([]);
  expect(await code).toBe(0);
  // A process that has ended accepts nothing more.
  await expect(fetch(`${weir.url}/health`)).rejects.toThrow();
});
