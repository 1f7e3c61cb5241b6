import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partitionKey, PARTITION_NAMES } from '../../../gateway/ledger/partition.ts';
import type { RedisLedger } from '../../../gateway/ledger/redis/redis-ledger.ts';
import type { RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { openBothStores, type BothStores } from '../../support/stores/both-stores.ts';
import { until } from '../../support/clocks/hang.ts';
import { redisUrl } from '../../support/stores/redis.ts';
import { drainAll } from '../ledger/support/drain-all.ts';
import { fund, holdOf, settleOf, USD } from '../ledger/support/fixtures.ts';
import { openRedisLedger } from '../ledger/support/redis-ledger.ts';
import { expectReconciled } from '../ledger/support/reconcile.ts';

const DRAIN_PROCESS = fileURLToPath(new URL('./support/drain-process.ts', import.meta.url));
const PAYERS = 5;
const RECORDS = 50;

describe('a gateway that is paused while it drains, and wakes up late', () => {
  let stores: BothStores;
  let pool: pg.Pool;
  let redis: RedisClient;
  let ledger: RedisLedger;
  let late: ChildProcess;

  beforeAll(async () => {
    stores = await openBothStores();
    ({ pool, redis } = stores);
    // Otherwise a wait might be given up after a second, before the test sees it.
    await pool.query('alter function ensure_usage_partitions(integer) set lock_timeout = 0');
    ledger = openRedisLedger({ redis, pool });
  });

  afterAll(async () => {
    late.kill('SIGKILL');
    await ledger.close();
    await stores.close();
  });

  const spendAll = async (): Promise<void> => {
    const payers = await Promise.all(Array.from({ length: PAYERS }, () => fund(pool, 10 * USD)));
    for (let index = 0; index < RECORDS; index += 1) {
      const payer = payers[index % PAYERS];
      if (payer === undefined) throw new Error('no payer');
      const hold = holdOf(payer, { amountNanoUsd: 1_000 });
      await ledger.hold(hold);
      await ledger.settle(settleOf(hold, 700));
    }
  };

  const countRecords = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from usage_records',
    );
    return rows[0]?.count ?? 0;
  };

  const leases = async (): Promise<number> =>
    await redis.exists(...PARTITION_NAMES.map((_name, at) => partitionKey(at, 'drain')));

  /** Resolves when the statement that contains this text waits for a lock. */
  const untilItWaits = async (statement: string): Promise<void> => {
    const waits = async () =>
      await pool.query(
        `select 1 from pg_stat_activity
         where application_name = 'late drain' and wait_event_type = 'Lock' and query like '%' || $1 || '%'`,
        [statement],
      );
    await until('its statement to wait', async () => (await waits()).rowCount === 1);
  };

  it.each([
    // It has read them, and is about to insert them.
    { when: 'before it writes them', lock: 'usage_records_default', at: 'ensure_usage_partitions' },
    // It has inserted them, and has not deleted them in Redis.
    { when: 'after it has written them', lock: 'only usage_records', at: 'enter_usage' },
  ])(
    '$when: another takes its share over, and each record is inserted once',
    async ({ lock, at }) => {
      const booked = await countRecords();
      await spendAll();
      const locker = await pool.connect();
      await locker.query('begin');
      await locker.query(`lock table ${lock} in access exclusive mode`);
      late = spawn(
        process.execPath,
        [
          '--disable-warning=ExperimentalWarning',
          DRAIN_PROCESS,
          stores.databaseUrl,
          await redisUrl(),
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await untilItWaits(at);
      late.kill('SIGSTOP');
      await locker.query('rollback');
      locker.release();
      expect(await leases()).toBeGreaterThan(0);

      // The other one is paused until this ends: it blocks its partitions for a while, not for
      // ever.
      await drainAll({ redis, pool });
      expect(await countRecords()).toBe(booked + RECORDS);

      let said = '';
      late.stdout?.on('data', (bytes) => (said += String(bytes)));
      const ended = new Promise((resolve) => late.once('close', resolve));
      late.kill('SIGCONT');
      late.kill('SIGTERM');
      await ended;
      expect(JSON.parse(said)).toMatchObject({ waiting: 0, rejected: 0 });
      expect(await countRecords()).toBe(booked + RECORDS);
      await expectReconciled(pool, redis);
    },
  );
});
