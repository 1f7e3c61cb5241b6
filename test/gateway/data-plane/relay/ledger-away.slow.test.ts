import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { askStream } from '../../../support/clients/ask-stream.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { until } from '../../../support/clocks/hang.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startGate, type Gate } from '../support/gate.ts';
import { openTestLedger, settledState } from '../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { type RedisServer, startRedis } from '../../../support/stores/redis.ts';
import { seed, TEST_PRICES, type Seeded } from '../../../support/seed.ts';

const SLICE_TOKENS = 16;
const PIECES = 100;
/**
 * All of them together are more than one read takes from a socket: a reply that comes whole waits
 * for nothing.
 */
const PIECE = 'word '.repeat(1_000);
const CREDIT = 100_000_000_000;
/** Awaited as a whole while the ledger is away; long enough for a hold on a slow machine before. */
const LEDGER_TIMEOUT_MS = 3_000;

let database: TestDatabase;
let pool: pg.Pool;
let redis: RedisServer;
let upstream: FakeUpstream;
let gate: Gate;
let seeded: Seeded;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  redis = await startRedis();
  upstream = await startFakeUpstream();
  gate = await startGate(upstream.url);
  seeded = await seed(pool, {
    upstreams: [gate.url],
    creditNanoUsd: CREDIT,
    outputTokensMax: 1_000_000,
  });
  gateway = await startGateway({
    databaseUrl: database.url,
    redisUrl: redis.url,
    env: {
      STREAM_SLICE_TOKENS: String(SLICE_TOKENS),
      LEDGER_TIMEOUT_MS: String(LEDGER_TIMEOUT_MS),
    },
  });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  gate.close();
  await Promise.all([redis.stop(), upstream.close(), pool.end()]);
  await database.drop();
});

it('a stream stands still while the ledger is away, and goes on to its end when it is back', async () => {
  upstream.behave('*', {
    kind: 'reply',
    pieces: Array.from({ length: PIECES }, () => PIECE),
    usage: { prompt_tokens: 10, completion_tokens: PIECES, total_tokens: 10 + PIECES },
  });
  const asked = askStream(gateway, seeded);
  await until('the stream has its first hold', () => gate.waiting() === 1);
  redis.pause();
  gate.open();
  const reply = await asked;
  let ended = false;
  const text = reply.text().finally(() => (ended = true));
  await until(
    'more has come than the hold covers',
    () => upstream.requests[0]?.outcome === 'finished',
  );
  // Its hold is asked for after the stream's next one, and times out after that.
  expect((await askStream(gateway, seeded)).status).toBe(503);
  expect(ended).toBe(false);
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
