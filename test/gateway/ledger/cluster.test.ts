import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisLedger } from '../../../gateway/ledger/create-ledger.ts';
import { PARTITION_COUNT, partitionOf } from '../../../gateway/ledger/partition.ts';
import type { RedisLedger } from '../../../gateway/ledger/redis/redis-ledger.ts';
import { openPool } from '../../../gateway/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../gateway/redis/connect.ts';
import { startDrain } from '../../../gateway/usage/drain.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { type RedisCluster, startRedisCluster } from '../../support/redis.ts';
import { stateOf } from './support/ask.ts';
import { addCredit, fund, holdOf, settleOf, USD } from './support/fixtures.ts';
import { expectReconciled } from './support/reconcile.ts';

const DAY_MS = 86_400_000;

describe('the ledger on a Redis Cluster', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let cluster: RedisCluster;
  let redis: RedisClient;
  let ledger: RedisLedger;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 8, applicationName: 'test' });
    cluster = await startRedisCluster();
    redis = connectRedis(cluster.url);
    await redis.connect();
    ledger = createRedisLedger({ redis, pool, closedMemoryMs: DAY_MS });
  });

  afterAll(async () => {
    await ledger.close();
    redis.disconnect();
    await Promise.all([cluster.stop(), pool.end()]);
    await database.drop();
  });

  it('holds, settles, credits, expires and drains in every partition', async () => {
    const payers = await Promise.all(Array.from({ length: 300 }, () => fund(pool, 10 * USD)));
    const partitions = new Set(payers.map(({ account }) => partitionOf(account.id)));
    expect(partitions.size).toBeGreaterThan(PARTITION_COUNT / 2);
    await Promise.all(
      payers.map(async (payer) => {
        const hold = holdOf(payer);
        expect(await ledger.hold(hold)).toEqual({ code: 'held', heldNanoUsd: USD });
        expect(await ledger.settle(settleOf(hold, 700))).toMatchObject({ code: 'settled' });
        expect(await ledger.hold(holdOf(payer, { ttlMs: 1 }))).toMatchObject({ code: 'held' });
        const entry = await addCredit(pool, payer.account.id, 5);
        expect(await ledger.credit(entry)).toMatchObject({ code: 'credited' });
      }),
    );
    let expired = 0;
    await expect.poll(async () => (expired += await ledger.expire(10_000))).toBe(payers.length);
    for (const payer of payers) {
      expect(await stateOf({ ledger }, payer.account.id)).toEqual([10 * USD - 695, 0, 0, 0]);
    }
    const drain = startDrain({ redis, pool, ageMsMin: 0, pauseMs: 10 });
    await drain.stop(20_000);
    expect(drain.status()).toMatchObject({ added: payers.length, waiting: 0, failure: null });
    await expectReconciled(pool, redis);
  });
});
