import type pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import { readFunds } from '../../../support/ledger/read-funds.ts';
import { seed, TEST_PRICES, type Seeded } from '../../../support/seed.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { startWeir, type Weir } from '../../../support/weir.ts';
import { ResponsesSocket, type SocketEvent } from './support/responses-socket.ts';

vi.setConfig({ testTimeout: 4 * HANG_MS });

const CREDIT = 1_000_000_000_000;
const IDLE_SOCKETS = 1_000;
/** Far above what is measured; a socket that keeps its last reply would exceed it. */
const BYTES_PER_SOCKET_MAX = 32 * 1024;
const HOLD_TTL_MS = 10_000;

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeUpstream;
let seeded: Seeded;
let redis: RedisClient;
let env: Record<string, string>;
let weir: Weir;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  upstream = await startFakeUpstream();
  seeded = await seed(pool, { upstreams: [upstream.url], creditNanoUsd: CREDIT });
  const url = await redisUrl();
  redis = connectRedis(url);
  await redis.connect();
  env = {
    ...{ DATABASE_URL: database.url, REDIS_URL: url, LOG_LEVEL: 'warn', GATEWAY_THREADS: '1' },
    ...{ HOLD_TTL_MS: String(HOLD_TTL_MS), LEDGER_TIMEOUT_MS: '4000' },
    WEBSOCKETS_PER_ACCOUNT_MAX: '2000',
  };
  weir = await startWeir(env);
});

afterAll(async () => {
  await weir.end('SIGKILL');
  redis.disconnect();
  await upstream.close();
  await pool.end();
  await database.drop();
});

const open = (): Promise<ResponsesSocket> => ResponsesSocket.open(weir.url, seeded.key);
const TURN = { model: 'test-model', store: false, input: 'Hello' };

/** The cost of a reply by its own usage. */
function costOf({ response }: SocketEvent): number {
  const { input_tokens: input = 0, output_tokens: output = 0 } = response?.usage ?? {};
  const { inputNanoUsd, outputNanoUsd } = TEST_PRICES;
  return (input * inputNanoUsd + output * outputNanoUsd) / 1_000_000;
}

/** Waits until nothing is held and so many records are in the book; returns the spend. */
async function spent(records: number): Promise<number> {
  await until('the end of every hold', async () => {
    const funds = await readFunds(redis, seeded.accountId);
    return funds?.inFlight === 0 && funds.held === 0;
  });
  await until('every record', async () => (await book()).records >= records);
  const { records: found, cost } = await book();
  expect(found).toBe(records);
  const funds = await readFunds(redis, seeded.accountId);
  expect(funds).toMatchObject({ owed: 0, available: CREDIT - cost });
  return cost;
}

async function book(): Promise<{ readonly records: number; readonly cost: number }> {
  const { rows } = await pool.query<{ records: number; cost: number }>(
    `select count(distinct request_id)::int as records, coalesce(sum(cost_nano_usd), 0)::float8 as cost
     from usage_records where account_id = $1`,
    [seeded.accountId],
  );
  return rows[0] ?? { records: 0, cost: 0 };
}

it('a gateway that is killed in a turn charges the turns before it, and nothing for that one', async () => {
  const socket = await open();
  const first = await socket.ask(TURN);
  upstream.behave('*', { kind: 'reply', pieces: 10, end: 'hang', cutAfterEvents: 4 });
  socket.send({ ...TURN, previous_response_id: first.response?.id });
  await until('the hold', async () => (await readFunds(redis, seeded.accountId))?.inFlight === 1);
  await until('the turn at the upstream', () => upstream.requests.at(-1)?.outcome === 'open');
  await weir.end('SIGKILL');
  await socket.untilClosed();
  upstream.reset();
  weir = await startWeir(env);
  expect(await spent(1)).toBe(costOf(first));
  // The client opens another socket; what the first one had kept is gone with it.
  const again = await open();
  const lost = await again.ask({ ...TURN, previous_response_id: first.response?.id });
  expect(lost.type).toBe('error');
  const second = await again.ask(TURN);
  await again.close();
  expect(await spent(2)).toBe(costOf(first) + costOf(second));
});

it(`keeps ${IDLE_SOCKETS} idle sockets in little memory each`, async () => {
  const before = await book();
  const warm = await Promise.all(Array.from({ length: 50 }, open));
  const beforeBytes = weir.residentBytes();
  const sockets: ResponsesSocket[] = [];
  while (sockets.length < IDLE_SOCKETS) {
    sockets.push(...(await Promise.all(Array.from({ length: 50 }, open))));
  }
  const bytes = (weir.residentBytes() - beforeBytes) / IDLE_SOCKETS;
  process.stdout.write(`An idle socket takes ${(bytes / 1_024).toFixed(1)} KiB.\n`);
  expect(bytes).toBeLessThan(BYTES_PER_SOCKET_MAX);
  // All of them are alive.
  const ends = await Promise.all([0, 499, 999].map(async (at) => sockets[at]?.ask(TURN)));
  expect(ends.map((end) => end?.type)).toEqual(Array(3).fill('response.completed'));
  await Promise.all([...warm, ...sockets].map((socket) => socket.close()));
  await spent(before.records + 3);
});
