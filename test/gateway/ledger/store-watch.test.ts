import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRedisLedger } from '../../../gateway/ledger/create-ledger.ts';
import { SILENT_LOG } from '../../../gateway/ledger/ledger-log.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';
import { fund, holdOf, settleOf, USD } from './support/fixtures.ts';

const TIMEOUT_MS = 100;
/** The store is looked at once a second: three looks. */
const LOOKS_MS = 3_500;

let database: TestDatabase;
let server: RedisServer;
let redis: RedisClient;

beforeAll(async () => {
  database = await createDatabase();
  server = await startRedis();
  redis = connectRedis(server.url);
  await redis.connect();
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

it('says once that the store cannot be watched and once that it can again, and nothing after its end', async () => {
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const told: string[] = [];
  const tell = (_details: object, message: string): void => void told.push(message);
  const log = { ...SILENT_LOG, info: tell, warn: tell };
  const ledger = createRedisLedger({
    redis,
    pool,
    closedMemoryMs: 86_400_000,
    timeoutMs: TIMEOUT_MS,
    logger: log,
  });
  // Once a look has found a record, the looks before it have made what a new store lacks.
  const hold = holdOf(await fund(pool, USD));
  await ledger.hold(hold);
  await ledger.settle(settleOf(hold, 7));
  await expect.poll(() => ledger.usageBacklog, { timeout: 5_000 }).toBe(1);
  server.pause();
  await sleep(LOOKS_MS);
  expect(told).toEqual(['The ledger store cannot be watched; trying again each second']);
  server.resume();
  const again = [...told, 'The ledger store is watched again'];
  await expect.poll(() => told, { timeout: 5_000 }).toEqual(again);
  // What is under way when it ends fails with the connection.
  server.pause();
  redis.emit('ready');
  await ledger.close();
  redis.disconnect();
  await sleep(TIMEOUT_MS);
  expect(told).toEqual(again);
  server.resume();
  await pool.end();
});
