import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SILENT_LOG } from '../../../../gateway/ledger/ledger-log.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { until } from '../../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { type RedisServer, startRedis } from '../../../support/stores/redis.ts';
import { fund, holdOf, settleOf, USD } from '../support/fixtures.ts';
import { openRedisLedger } from '../support/redis-ledger.ts';

/** Only a paused store takes this long. */
const TIMEOUT_MS = 2_000;

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
  const ledger = openRedisLedger({
    redis,
    pool,
    timeoutMs: TIMEOUT_MS,
    logger: log,
  });
  // When a poll has found a record, the polls before it have created what a new store lacks.
  const hold = holdOf(await fund(pool, USD));
  await ledger.hold(hold);
  await ledger.settle(settleOf(hold, 7));
  await until('a look', () => ledger.usageBacklog === 1);
  server.pause();
  const send = vi.spyOn(redis, 'sendCommand');
  await until('a look that has failed', () => told.length > 0);
  send.mockClear();
  // Each poll sends one call, after the previous one has failed.
  await until('two more looks', () => send.mock.calls.length >= 2);
  expect(told).toEqual(['The ledger store cannot be watched; trying again each second']);
  server.resume();
  const again = [...told, 'The ledger store is watched again'];
  await until('a look that has succeeded', () => told.length > 1);
  expect(told).toEqual(again);
  // What runs when it stops fails with the connection.
  server.pause();
  redis.emit('ready');
  await ledger.close();
  const ended = once(redis, 'end');
  redis.disconnect();
  await ended;
  await turn();
  expect(told).toEqual(again);
  server.resume();
  await pool.end();
});
