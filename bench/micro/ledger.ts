/**
 * Measures the cost of the ledger: holds and settles as fast as some number of callers at once can
 * make them, on a Redis and a PostgreSQL of their own. Prints operations per second, and CPU
 * microseconds per operation of this process and of the store.
 *
 *   node bench/micro/ledger.ts [--store redis|postgres] [--seconds 5] [--callers 64] [--accounts 1000] [--no-aof]
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import type { Redis } from 'ioredis';
import { newRequestId } from '../../gateway/platform/ids/request-id.ts';
import { createPostgresLedger, createRedisLedger } from '../../gateway/ledger/create-ledger.ts';
import type { Ledger, Payer } from '../../gateway/ledger/ledger.ts';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { migrate } from '../../gateway/stores/postgres/migrate.ts';
import { connectRedis } from '../../gateway/stores/redis/connect.ts';
import { payerOf } from '../../test/support/ledger/payer.ts';
import { startPostgres } from '../../test/support/stores/postgres-server.ts';
import { startRedis } from '../../test/support/stores/redis-server.ts';

const DAY_MS = 86_400_000;
const BALANCE_NANO_USD = 1_000_000_000_000_000;
/** The size of a usage record as the gateway writes it. */
const RECORD_CHARACTERS = 700;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    store: { type: 'string', default: 'redis' },
    seconds: { type: 'string', default: '5' },
    callers: { type: 'string', default: '64' },
    accounts: { type: 'string', default: '1000' },
    aof: { type: 'boolean', default: true },
  },
});

async function createPayers(pool: pg.Pool, count: number): Promise<Payer[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await pool.query(
    `insert into accounts (id, name, balance_nano_usd) select id, 'bench', $2 from unnest($1::uuid[]) as id`,
    [ids, BALANCE_NANO_USD],
  );
  return ids.map((id) => payerOf({ account: { id } }));
}

function recordJson(payer: Payer, requestId: string): string {
  const known = { requestId, accountId: payer.account.id, keyId: payer.key.id };
  return JSON.stringify({ ...known, fill: 'x'.repeat(RECORD_CHARACTERS - 160) });
}

/** One hold and its settle, over and over. Answers how many pairs it made. */
async function callUntil(ledger: Ledger, payers: readonly Payer[], endMs: number): Promise<number> {
  let pairs = 0;
  for (let next = Math.floor(Math.random() * payers.length); performance.now() < endMs; next += 1) {
    const payer = payers[next % payers.length];
    if (payer === undefined) throw new Error('no payers');
    const requestId = newRequestId(Date.now());
    const held = await ledger.hold({
      requestId,
      payer,
      amountNanoUsd: 1_234_567,
      minimumNanoUsd: 1_234_567,
      tokens: 1_500,
      ttlMs: 120_000,
    });
    if (held.code !== 'held') throw new Error(`hold: ${JSON.stringify(held)}`);
    const settled = await ledger.settle({
      requestId,
      payer,
      actualNanoUsd: 345_678,
      tokens: 700,
      recordJson: recordJson(payer, requestId),
    });
    if (settled.code !== 'settled') throw new Error(`settle: ${JSON.stringify(settled)}`);
    pairs += 1;
  }
  return pairs;
}

/** CPU time of the Redis server, microseconds. */
async function redisCpu(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const seconds = [...info.matchAll(/used_cpu_(?:user|sys):([\d.]+)/g)].map(([, n]) => Number(n));
  return seconds.reduce((sum, n) => sum + n, 0) * 1_000_000;
}

async function measure(ledger: Ledger, payers: readonly Payer[], redis?: Redis): Promise<void> {
  const seconds = Number(values.seconds);
  const callers = Number(values.callers);
  const run = async (forMs: number): Promise<number> => {
    const endMs = performance.now() + forMs;
    const pairs = await Promise.all(
      Array.from({ length: callers }, () => callUntil(ledger, payers, endMs)),
    );
    return 2 * pairs.reduce((sum, count) => sum + count, 0);
  };
  await run(1_000);
  const storeBefore = redis === undefined ? 0 : await redisCpu(redis);
  const before = process.cpuUsage();
  const startMs = performance.now();
  const operations = await run(seconds * 1_000);
  const tookMs = performance.now() - startMs;
  const used = process.cpuUsage(before);
  const storeUsed = redis === undefined ? 0 : (await redisCpu(redis)) - storeBefore;
  console.log(
    JSON.stringify({
      store: values.store,
      callers,
      accounts: payers.length,
      operations,
      operationsPerSecond: Math.round((operations / tookMs) * 1_000),
      nodeCpuUsPerOperation: round((used.user + used.system) / operations),
      storeCpuUsPerOperation: round(storeUsed / operations),
    }),
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const postgres = await startPostgres();
const pool = openPool(postgres.url, { connectionsMax: 8, applicationName: 'bench' });
await migrate(pool);
const payers = await createPayers(pool, Number(values.accounts));
if (values.store === 'redis') {
  const server = await startRedis({ appendonly: values.aof });
  const redis = connectRedis(server.url) as Redis;
  await redis.connect();
  const ledger = createRedisLedger({ redis, pool, closedMemoryMs: DAY_MS });
  await measure(ledger, payers, redis);
  await ledger.close();
  redis.disconnect();
  await server.stop();
} else {
  await measure(createPostgresLedger({ pool }), payers);
}
await pool.end();
await postgres.stop();
