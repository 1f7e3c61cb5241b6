import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisLedger } from '../../../../gateway/ledger/create-ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { isAway } from '../../../../gateway/stores/postgres/is-away.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { startDrain } from '../../../../gateway/usage/drain.ts';
import { createDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { redisUrl } from '../../../support/redis.ts';
import { type SilentProxy, startSilentProxy } from '../../../support/silent-proxy.ts';
import { fund, holdOf, settleOf, USD } from '../../ledger/support/fixtures.ts';

describe('a PostgreSQL whose connections have gone silent', () => {
  let database: TestDatabase;
  let direct: pg.Pool;
  let proxy: SilentProxy;
  let redis: RedisClient;

  beforeAll(async () => {
    database = await createDatabase();
    direct = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
    proxy = await startSilentProxy(database.url);
    redis = connectRedis(await redisUrl());
    await redis.connect();
  });
  afterAll(async () => {
    redis.disconnect();
    await Promise.all([direct.end(), proxy.stop()]);
    await database.drop();
  });

  const openThrough = (connectionsMax: number): pg.Pool =>
    openPool(proxy.url, { connectionsMax, applicationName: 'silent', statementTimeoutMs: 50 });

  it('fails what is asked over one of them, and the next question gets a new one', async () => {
    const pool = openThrough(1);
    await pool.query('select 1');
    proxy.silence();
    const failure = await pool.query('select 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure instanceof Error && isAway(failure)).toBe(true);
    expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBe(1);
    await pool.end();
  });

  it('holds no account up for good that was to be loaded over one of them', async () => {
    const pool = openThrough(1);
    const ledger = createRedisLedger({ redis, pool, closedMemoryMs: 86_400_000 });
    expect(await ledger.hold(holdOf(await fund(direct, USD)))).toMatchObject({ code: 'held' });
    const payer = await fund(direct, USD);
    proxy.silence();
    await expect
      .poll(async () => (await ledger.hold(holdOf(payer))).code, { timeout: 10_000 })
      .toBe('held');
    await ledger.close();
    await pool.end();
  });

  it('does not keep the drain from ending', async () => {
    const pool = openThrough(4);
    const ledger = createRedisLedger({ redis, pool: direct, closedMemoryMs: 86_400_000 });
    const payer = await fund(direct, USD);
    const spend = async () => {
      const hold = holdOf(payer, { amountNanoUsd: 7 });
      await ledger.hold(hold);
      await ledger.settle(settleOf(hold, 7));
    };
    await spend();
    const drain = startDrain({ redis, pool, ageMsMin: 0, pauseMs: 5 });
    await expect.poll(() => drain.status().added).toBe(1);
    proxy.silence();
    await spend();
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(1);
    const startedMs = performance.now();
    await drain.stop(10);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(drain.status().added).toBe(1);
    await ledger.close();
    await proxy.stop();
    await pool.end();
  });
});
