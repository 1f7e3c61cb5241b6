import autocannon from 'autocannon';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/fake-upstream.ts';
import { openTestLedger, settledState } from '../../support/money.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { redisUrl } from '../../support/redis.ts';
import { seed, type Seeded } from '../../support/seed.ts';
import { startWeir } from '../../support/weir.ts';

const CREDIT = 1_000_000_000_000;
const HOLD_TTL_MS = 5_000;
const IN_FLIGHT = 200;
const STREAM = {
  model: 'test-model',
  stream: true,
  messages: [{ role: 'user', content: 'Hello' }],
};

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeUpstream;
let seeded: Seeded;
let env: Record<string, string>;
let redis: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  upstream = await startFakeUpstream();
  upstream.behave('*', { kind: 'reply', pieces: 4, pieceDelayMs: 10 });
  seeded = await seed(pool, { upstreams: [upstream.url], creditNanoUsd: CREDIT });
  redis = await redisUrl();
  env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis,
    LOG_LEVEL: 'warn',
    GATEWAY_THREADS: '2',
    HOLD_TTL_MS: String(HOLD_TTL_MS),
    LEDGER_TIMEOUT_MS: '1000',
  };
});

afterAll(async () => {
  await upstream.close();
  await pool.end();
  await database.drop();
});

function load(url: string, seconds: number): Promise<autocannon.Result> {
  return autocannon({
    url: `${url}/v1/chat/completions`,
    method: 'POST',
    connections: 20,
    duration: seconds,
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(STREAM),
  });
}

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
  const killed = await startWeir(env);
  const running = load(killed.url, 4);
  await sleep(2_500);
  await killed.end('SIGKILL');
  const result = await running;
  // autocannon counts a reply as 2xx when it is complete.
  const finished = result['2xx'];
  expect(finished).toBeGreaterThan(50);

  const weir = await startWeir(env);
  await sleep(HOLD_TTL_MS + 4_000);
  const { ledger, close } = await openTestLedger(pool, redis);
  const state = await settledState(ledger, seeded.accountId);
  await close();
  const after = await book();
  expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0, inFlight: 0 });
  expect(after.distinct).toBe(after.records);
  expect(after.records).toBeGreaterThanOrEqual(finished);
  expect(state.availableNanoUsd + state.heldNanoUsd).toBe(CREDIT - after.charged);
  expect(await weir.end('SIGTERM')).toBe(0);
});

test('SIGTERM under load finishes every request in flight and exits 0', async () => {
  upstream.reset();
  upstream.behave('*', { kind: 'reply', pieces: 4, pieceDelayMs: 500 });
  const weir = await startWeir(env);
  const replies = Array.from({ length: IN_FLIGHT }, () =>
    fetch(`${weir.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(STREAM),
    }).then((response) => response.text()),
  );
  await upstream.untilRequests(IN_FLIGHT);
  const code = weir.end('SIGTERM');
  const texts = await Promise.allSettled(replies);
  const broken = texts.filter(
    (text) => text.status === 'rejected' || !text.value.endsWith('data: [DONE]\n\n'),
  );
  expect(broken).toEqual([]);
  expect(await code).toBe(0);
  // A process that has ended accepts nothing more.
  await expect(fetch(`${weir.url}/health`)).rejects.toThrow();
});
