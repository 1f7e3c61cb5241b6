import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { askStream } from '../../../support/ask-stream.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/fake-upstream.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../support/money.ts';
import { createDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { type RedisServer, startRedis } from '../../../support/redis.ts';
import { seed, TEST_PRICES, type Seeded } from '../../../support/seed.ts';

const SLICE_TOKENS = 16;
const PIECES = 100;
const CREDIT = 100_000_000_000;

let database: TestDatabase;
let pool: pg.Pool;
let redis: RedisServer;
let upstream: FakeUpstream;
let seeded: Seeded;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  redis = await startRedis();
  upstream = await startFakeUpstream();
  seeded = await seed(pool, { upstreams: [upstream.url], creditNanoUsd: CREDIT });
  gateway = await startGateway({
    databaseUrl: database.url,
    redisUrl: redis.url,
    env: { STREAM_SLICE_TOKENS: String(SLICE_TOKENS), LEDGER_TIMEOUT_MS: '500' },
  });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await Promise.all([redis.stop(), upstream.close(), pool.end()]);
  await database.drop();
});

it('a stream stands still while the ledger is away, and goes on to its end when it is back', async () => {
  upstream.behave('*', {
    kind: 'reply',
    pieces: PIECES,
    pieceDelayMs: 10,
    usage: { prompt_tokens: 10, completion_tokens: PIECES, total_tokens: 10 + PIECES },
  });
  const reply = await askStream(gateway, seeded);
  redis.pause();
  const text = reply.text();
  // Long enough for the hold to be used up and for a call to time out.
  await wait(PIECES * 10 + 700);
  redis.resume();
  expect(await text).toMatch(/data: \[DONE\]\n\n$/);
  expect(await text).not.toContain('"error"');
  const { ledger, close } = await openTestLedger(pool, redis.url);
  const state = await settledState(ledger, seeded.accountId);
  expect(state).toMatchObject({ heldNanoUsd: 0, inFlight: 0 });
  const { inputNanoUsd, outputNanoUsd } = TEST_PRICES;
  const cost = (10 * inputNanoUsd + PIECES * outputNanoUsd) / 1_000_000;
  expect(CREDIT - state.availableNanoUsd).toBe(cost);
  await close();
});
