import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payer } from '../../../gateway/ledger/ledger.ts';
import type { RedisLedger } from '../../../gateway/ledger/redis/redis-ledger.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { startRedis, type RedisServer } from '../../support/stores/redis.ts';
import { held } from './support/ask.ts';
import { fund, holdOf, settleOf, USD } from './support/fixtures.ts';
import { openRedisLedger } from './support/redis-ledger.ts';

const PAYERS = 100;
const REQUESTS = 400;
const TURNS = 5;
/**
 * Far above the measured ratio (hot-account.long.test.ts), and far below a cost that grows with the
 * account's requests.
 */
const RATIO_MAX = 2;

let database: TestDatabase;
let pool: pg.Pool;
let server: RedisServer;
let redis: RedisClient;
let ledger: RedisLedger;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  server = await startRedis();
  redis = connectRedis(server.url);
  await redis.connect();
  ledger = openRedisLedger({ redis, pool });
});

afterAll(async () => {
  await ledger.close();
  redis.disconnect();
  await Promise.all([server.stop(), pool.end()]);
  await database.drop();
});

/** Microseconds that Redis has spent in the ledger's function. */
async function functionUs(): Promise<number> {
  return Number(/cmdstat_fcall:calls=\d+,usec=(\d+)/.exec(await redis.info('commandstats'))?.[1]);
}

async function costOf(payers: readonly Payer[]): Promise<number> {
  const before = await functionUs();
  await Promise.all(
    Array.from({ length: REQUESTS }, async (_value, index) => {
      const payer = payers[index % payers.length];
      if (payer === undefined) throw new Error('no payer');
      const hold = await held({ ledger }, holdOf(payer, { amountNanoUsd: 1_000 }));
      expect(await ledger.settle(settleOf(hold, 7))).toMatchObject({ code: 'settled' });
    }),
  );
  return (await functionUs()) - before;
}

it('costs the store no more than requests of many accounts do', async () => {
  const many: Payer[] = [];
  while (many.length < PAYERS) many.push(await fund(pool, USD));
  const hot = many.slice(0, 1);
  await costOf(many);
  const costs: { hot: number; many: number }[] = [];
  while (costs.length < TURNS) costs.push({ hot: await costOf(hot), many: await costOf(many) });
  // The minimum of each: other work on the machine only adds.
  const least = (kind: 'hot' | 'many'): number => Math.min(...costs.map((cost) => cost[kind]));
  expect(least('hot') / least('many')).toBeLessThan(RATIO_MAX);
});
