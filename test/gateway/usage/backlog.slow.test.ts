import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Payer } from '../../../gateway/ledger/ledger.ts';
import { partitionKey, partitionOf } from '../../../gateway/ledger/partition.ts';
import type { RedisLedger } from '../../../gateway/ledger/redis/redis-ledger.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { startDrain } from '../../../gateway/usage/drain.ts';
import { UsageStream } from '../../../gateway/ledger/redis/usage/usage-stream.ts';
import { HANG_MS, until } from '../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { type RedisServer, startRedis } from '../../support/stores/redis.ts';
import { drainAll as drainStores, waitingEntries } from '../ledger/support/drain-all.ts';
import { fund, holdOf, settleOf, USD } from '../ledger/support/fixtures.ts';
import { openRedisLedger } from '../ledger/support/redis-ledger.ts';
import { expectReconciled } from '../ledger/support/reconcile.ts';

const DAY_MS = 86_400_000;
const BACKLOG_MAX = 1_000;

describe('usage that waits for Postgres', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let server: RedisServer;
  let redis: RedisClient;
  let ledger: RedisLedger;
  let busy: Payer;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 8, applicationName: 'test' });
    server = await startRedis({ appendonly: true, appendfsync: 'always' });
    redis = connectRedis(server.url);
    await redis.connect();
    ledger = openRedisLedger({
      redis,
      pool,
      usageBacklogMax: BACKLOG_MAX,
    });
    busy = await fund(pool, 1_000_000 * USD);
  });

  afterAll(async () => {
    await ledger.close();
    redis.disconnect();
    await pool.end();
    await database.drop();
    await server.stop();
  });

  const drainAll = (readers: number): Promise<number> => drainStores({ redis, pool }, readers);

  const untilBacklog = (records: number): Promise<true> =>
    until(`a backlog of ${records}`, () => ledger.usageBacklog === records);

  beforeEach(async () => {
    await drainAll(1);
    await untilBacklog(0);
  });

  /** Concurrent requests of one account share batches, so their records share entries. */
  const spendAtOnce = async (payer: Payer, count: number): Promise<string[]> =>
    await Promise.all(
      Array.from({ length: count }, async () => {
        const hold = holdOf(payer, { amountNanoUsd: 10 });
        const { code } = await ledger.hold(hold);
        if (code === 'held') await ledger.settle(settleOf(hold, 7));
        return code;
      }),
    );

  const joinedOf = (payer: Payer) =>
    redis.get(partitionKey(partitionOf(payer.account.id), 'joined'));

  it('is counted in records, however many share an entry of the stream', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => fund(pool, USD)));
    await spendAtOnce(busy, 300);
    for (const payer of others) await spendAtOnce(payer, 1);
    expect(await waitingEntries(redis)).toBeLessThan(100);
    await untilBacklog(305);
    const drain = startDrain({ redis, pool, ageMsMin: DAY_MS, pauseMs: 5 });
    await until('a round', () => drain.status().waiting === 305);
    await drain.stop(0);
  });

  it('is counted right by a server that was killed and has read its log again', async () => {
    await spendAtOnce(busy, 200);
    await server.kill();
    await server.restart();
    // The ledger refuses for a moment, and perhaps again after it has answered.
    let spent = 0;
    const spendTheRest = async (): Promise<number> => {
      const codes = await spendAtOnce(busy, 50 - spent);
      spent += codes.filter((code) => code === 'held').length;
      return spent;
    };
    await until('the rest', async () => (await spendTheRest()) === 50);
    await untilBacklog(250);
    expect(await drainAll(1)).toBe(250);
    expect(await joinedOf(busy)).toBeNull();
  });

  it('is counted right while several gateways drain it, and when one forgets what another has', async () => {
    await spendAtOnce(busy, 200);
    const [first, second] = ['first', 'second'].map((reader) => new UsageStream(redis, reader));
    const partition = partitionOf(busy.account.id);
    const reading = await first?.read(1_000, 0);
    const read = reading?.partitions.filter((found) => found.partition === partition) ?? [];
    expect(read.map(({ records }) => records)).toEqual([200]);
    const written = await redis.xrange(partitionKey(partition, 'usage'), '-', '+');
    await spendAtOnce(busy, 40);
    await second?.forget(read);
    await first?.forget(read);
    await untilBacklog(40);
    // Records that were deleted unread are missing in Postgres: they are written back by hand.
    const fields = written.flatMap(([, values]) => values);
    await redis.xadd(partitionKey(partition, 'usage'), '*', ...fields);
    expect(await drainAll(4)).toBe(240);
    expect(await joinedOf(busy)).toBeNull();
    await expectReconciled(pool, redis);
  });

  it('is drained without a pause, also where the oldest entries have few records each and the rest many', async () => {
    for (let count = 0; count < 60; count += 1) await spendAtOnce(busy, 1);
    await spendAtOnce(busy, 600);
    await untilBacklog(660);
    // A drain that finds another reader's lease pauses.
    const lease = partitionKey(partitionOf(busy.account.id), 'drain');
    await until('the end of the lease', async () => (await redis.exists(lease)) === 0);
    const drain = startDrain({ redis, pool, ageMsMin: 0, pauseMs: DAY_MS });
    await until('all records', () => drain.status().added === 660);
    await drain.stop(HANG_MS);
  });

  it('is drained also when Redis has no memory left, which makes room again', async () => {
    await spendAtOnce(busy, 200);
    const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    await redis.config('SET', 'maxmemory', String(Math.round(used / 2)));
    const hold = holdOf(busy, { amountNanoUsd: 10 });
    expect(await ledger.hold(hold)).toMatchObject({ code: 'ledger_unavailable' });
    await untilBacklog(200);
    expect(await drainAll(2)).toBe(200);
    await untilBacklog(0);
    await redis.config('SET', 'maxmemory', '0');
    expect(await spendAtOnce(busy, 1)).toEqual(['held']);
    await drainAll(1);
    await expectReconciled(pool, redis);
  });

  it('refuses new requests before more than the limit waits, and takes them again once it is drained', async () => {
    let spent = 0;
    for (let codes: string[] = []; !codes.includes('ledger_unavailable');) {
      codes = await spendAtOnce(busy, BACKLOG_MAX / 4);
      spent += codes.filter((code) => code === 'held').length;
      // It refuses by its last count.
      await untilBacklog(spent);
    }
    expect(await waitingEntries(redis)).toBeLessThan(BACKLOG_MAX / 4);
    expect(spent).toBeLessThanOrEqual(BACKLOG_MAX);
    expect(spent).toBeGreaterThan(BACKLOG_MAX / 2);
    expect(await ledger.hold(holdOf(busy))).toMatchObject({ code: 'ledger_unavailable' });
    await drainAll(1);
    await until('a hold', async () => (await spendAtOnce(busy, 1))[0] === 'held');
  });
});
