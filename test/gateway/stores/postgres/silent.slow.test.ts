import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { isConnectionError } from '../../../../gateway/stores/postgres/is-connection-error.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { startDrain } from '../../../../gateway/usage/drain.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import { type SilentProxy, startSilentProxy } from '../../../support/upstreams/silent-proxy.ts';
import { fund, holdOf, settleOf, USD } from '../../ledger/support/fixtures.ts';
import { openRedisLedger } from '../../ledger/support/redis-ledger.ts';

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

  /**
   * Gives a connection up a second after `statementTimeoutMs`, which no statement here takes even
   * on a slow machine.
   */
  const openThrough = (connectionsMax: number, statementTimeoutMs = 2_000): pg.Pool =>
    openPool(proxy.url, { connectionsMax, applicationName: 'silent', statementTimeoutMs });

  it('fails what is asked over one of them, and the next question gets a new one', async () => {
    const pool = openThrough(1);
    await pool.query('select 1');
    proxy.silence();
    const failure = await pool.query('select 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure instanceof Error && isConnectionError(failure)).toBe(true);
    expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBe(1);
    await pool.end();
  });

  it('holds no account up for good that was to be loaded over one of them', async () => {
    const pool = openThrough(1);
    // Gives its loads up after its own time limit.
    const ledger = openRedisLedger({ redis, pool, timeoutMs: 2_000 });
    expect(await ledger.hold(holdOf(await fund(direct, USD)))).toMatchObject({ code: 'held' });
    const payer = await fund(direct, USD);
    proxy.silence();
    await until('a hold', async () => (await ledger.hold(holdOf(payer))).code === 'held');
    await ledger.close();
    await pool.end();
  });

  it('does not keep the drain from ending', async () => {
    // The silent connection outlasts the test: only the drain itself can give it up.
    const pool = openThrough(4, HANG_MS);
    const ledger = openRedisLedger({ redis, pool: direct });
    const payer = await fund(direct, USD);
    const spend = async () => {
      const hold = holdOf(payer, { amountNanoUsd: 7 });
      await ledger.hold(hold);
      await ledger.settle(settleOf(hold, 7));
    };
    await spend();
    const drain = startDrain({ redis, pool, ageMsMin: 0, pauseMs: 5 });
    await until('the first record', () => drain.status().added === 1);
    proxy.silence();
    await spend();
    const silent = () => pool.totalCount - pool.idleCount === 1;
    await until('a round on a silent connection', silent);
    await drain.stop(HANG_MS);
    expect(silent()).toBe(true);
    expect(drain.status().added).toBe(1);
    await ledger.close();
    await proxy.stop();
    await pool.end();
  });
});
