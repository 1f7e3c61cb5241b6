import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyCredits } from '../../../../gateway/ledger/apply-credits.ts';
import type { LedgerLog } from '../../../../gateway/ledger/ledger-log.ts';
import type { Payer } from '../../../../gateway/ledger/ledger.ts';
import { partitionKey, partitionOf } from '../../../../gateway/ledger/partition.ts';
import {
  startNewEpochs,
  readEntered,
} from '../../../../gateway/ledger/redis/recovery/stale-redis.ts';
import { foreignLedger } from '../../../../gateway/ledger/redis/recovery/ledger-ownership.ts';
import type { RedisLedger } from '../../../../gateway/ledger/redis/redis-ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { insertBatch } from '../../../../gateway/ledger/redis/usage/insert-usage.ts';
import { UsageStream } from '../../../../gateway/ledger/redis/usage/usage-stream.ts';
import { until } from '../../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { type RedisServer, startRedis } from '../../../support/stores/redis.ts';
import { stateOf } from '../support/ask.ts';
import { drainAll } from '../support/drain-all.ts';
import { fund, holdOf, settleOf, USD } from '../support/fixtures.ts';
import { openRedisLedger } from '../support/redis-ledger.ts';
import { expectReconciled } from '../support/reconcile.ts';

/**
 * Redis keeps snapshots only and is restored to one, as after a restart without a log, or like a
 * lagging replica.
 */
describe('a Redis that is older than Postgres', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let server: RedisServer;
  let redis: RedisClient;
  let ledger: RedisLedger;
  const errors: string[] = [];
  const log: LedgerLog = {
    info: () => undefined,
    warn: () => undefined,
    error: (_details, message) => errors.push(message),
  };

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 8, applicationName: 'test' });
    server = await startRedis({ config: { save: '3600 1' } });
  });

  afterAll(async () => {
    await Promise.all([server.stop(), pool.end()]);
    await database.drop();
  });

  const open = async (): Promise<void> => {
    redis = connectRedis(server.url);
    await redis.connect();
    ledger = openRedisLedger({ redis, pool, logger: log });
  };

  const close = async (): Promise<void> => {
    await ledger.close();
    redis.disconnect();
  };

  beforeEach(async () => {
    errors.length = 0;
    await open();
  });
  afterEach(close);

  const spend = async (payer: Payer, cost: number): Promise<void> => {
    const hold = holdOf(payer, { amountNanoUsd: cost });
    expect(await ledger.hold(hold)).toMatchObject({ code: 'held' });
    expect(await ledger.settle(settleOf(hold, cost))).toMatchObject({ code: 'settled' });
  };

  const drain = async (): Promise<void> => {
    await drainAll({ redis, pool });
  };

  const goBack = async (): Promise<void> => {
    await server.kill();
    await server.restart();
  };

  const epochOf = async (payer: Payer): Promise<string | null> =>
    redis.get(partitionKey(partitionOf(payer.account.id), 'epoch'));

  it('spends nothing twice: what it lacks is loaded from Postgres', async () => {
    const [payer, other] = [await fund(pool, 10 * USD), await fund(pool, 10 * USD)];
    await spend(payer, 1);
    await spend(other, 1);
    await redis.call('SAVE');
    await spend(payer, 9 * USD);
    await drain();
    await until('no settle to be kept any more', () => ledger.retained.count === 0);
    const epoch = await epochOf(payer);
    const untouched = await epochOf(other);
    await goBack();
    await until('the balance of Postgres', async () => {
      const [available] = await stateOf({ ledger }, payer.account.id).catch(() => []);
      return available === USD - 1;
    });
    const again = holdOf(payer, { amountNanoUsd: 9 * USD });
    expect(await ledger.hold(again)).toMatchObject({ code: 'insufficient_balance' });
    expect(await epochOf(payer)).not.toBe(epoch);
    if (partitionOf(other.account.id) !== partitionOf(payer.account.id)) {
      expect(await epochOf(other)).toBe(untouched);
    }
    expect(errors.join()).toContain('Redis has lost recent data');
    await drain();
    await expectReconciled(pool, redis);
  });

  it('has its charges inserted into Postgres, also when no gateway retains them', async () => {
    const payer = await fund(pool, 10 * USD);
    await spend(payer, 1);
    await redis.call('SAVE');
    await spend(payer, USD);
    await drain();
    await close();
    await goBack();
    await open();
    await spend(payer, 300);
    const left = holdOf(payer);
    await ledger.hold(left);
    await close();
    await open();
    await startNewEpochs({ redis, pool, log });
    await applyCredits(ledger, pool, payer.account.id);
    // The hold was lost; its release returns nothing that Postgres has not taken.
    await ledger.release({ requestId: left.requestId, accountId: payer.account.id });
    expect(await stateOf({ ledger }, payer.account.id)).toEqual([9 * USD - 301, 0, 0, 0]);
    await spend(payer, 5);
    await drain();
    await expectReconciled(pool, redis);
  });

  it('is not reported of one that has not deleted yet what Postgres has', async () => {
    const payer = await fund(pool, 10 * USD);
    await spend(payer, 1);
    await spend(payer, 2);
    const stream = new UsageStream(redis, 'a gateway that dies');
    const { partitions } = await stream.read(100, 0);
    const read = partitions.find(({ partition }) => partition === partitionOf(payer.account.id));
    if (read?.epoch == null) throw new Error('nothing was read');
    const { epoch: readEpoch, newestId: id } = read;
    const [oldest] = await redis.xrange(partitionKey(read.partition, 'usage'), '-', '+');
    expect(oldest?.[0]).not.toBe(id);
    await insertBatch(pool, Buffer.from(`[${String(read.json)}]`), [
      { partition: read.partition, epoch: readEpoch, id },
    ]);
    const epoch = await epochOf(payer);
    await startNewEpochs({ redis, pool, log });
    expect(await epochOf(payer)).toBe(epoch);
    await stream.forget([read]);
    // A slower reader, which has read less, does not lower the recorded position.
    await stream.forget([{ ...read, newestId: oldest?.[0] ?? '', entries: 1, records: 1 }]);
    await startNewEpochs({ redis, pool, log });
    expect(await epochOf(payer)).toBe(epoch);
    expect(errors).toEqual([]);
  });

  it('is not seen in one whose epoch was begun by a gateway that knows of no positions', async () => {
    const payer = await fund(pool, USD);
    await spend(payer, 1);
    await drain();
    const partition = partitionOf(payer.account.id);
    const notedPartitions = async () => (await readEntered(pool)).map((noted) => noted.partition);
    expect(await notedPartitions()).toContain(partition);
    await pool.query('update ledger_epochs set epoch = epoch where partition = $1', [partition]);
    expect(await notedPartitions()).toContain(partition);
    // Like a gateway older than migration 0021, after Redis has lost everything.
    await redis.flushdb();
    await pool.query('update ledger_epochs set epoch = epoch + 1 where partition = $1', [
      partition,
    ]);
    expect(await notedPartitions()).not.toContain(partition);
  });

  it('keeps its owner when the partition with that key is loaded again', async () => {
    let payer = await fund(pool, USD);
    while (partitionOf(payer.account.id) !== 0) payer = await fund(pool, USD);
    await spend(payer, 1);
    await drain();
    expect(await foreignLedger(redis, pool)).toBeUndefined();
    const [book, change] = [partitionKey(0, 'book'), partitionKey(0, 'change')];
    await redis.set(change, '1');
    const before = await redis.mget(book, change);
    expect(before).not.toContain(null);
    const epoch = await epochOf(payer);
    await redis.set(partitionKey(0, 'entered'), '0-1');
    await startNewEpochs({ redis, pool, log });
    expect(await epochOf(payer)).not.toBe(epoch);
    expect(await redis.exists(partitionKey(0, 'swept'))).toBe(0);
    expect(await redis.mget(book, change)).toEqual(before);
  });
});
