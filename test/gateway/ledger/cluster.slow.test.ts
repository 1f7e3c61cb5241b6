import { Cluster, Redis } from 'ioredis';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PARTITION_COUNT, partitionKey, partitionOf } from '../../../gateway/ledger/partition.ts';
import type { RedisLedger } from '../../../gateway/ledger/redis/redis-ledger.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { startDrain } from '../../../gateway/usage/drain.ts';
import { until } from '../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { type RedisCluster, startRedisCluster } from '../../support/stores/redis.ts';
import { stateOf } from './support/ask.ts';
import { drainAll, untilDrained } from './support/drain-all.ts';
import { addCredit, fund, holdOf, settleOf, USD } from './support/fixtures.ts';
import { openRedisLedger } from './support/redis-ledger.ts';
import { expectReconciled } from './support/reconcile.ts';

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
    ledger = openRedisLedger({ redis, pool });
  });

  afterAll(async () => {
    await ledger.close();
    redis.disconnect();
    await Promise.all([cluster.stop(), pool.end()]);
    await database.drop();
  });

  it('holds, settles, credits, expires and drains in every partition', async () => {
    const payers = await Promise.all(Array.from({ length: 100 }, () => fund(pool, 10 * USD)));
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
    await until('every hold to expire', async () => {
      expired += await ledger.expire(10_000);
      return expired >= payers.length;
    });
    expect(expired).toBe(payers.length);
    for (const payer of payers) {
      expect(await stateOf({ ledger }, payer.account.id)).toEqual([10 * USD - 695, 0, 0, 0]);
    }
    expect(await drainAll({ redis, pool })).toBe(payers.length);
    await expectReconciled(pool, redis);
  });

  describe('while a slot moves to another node', () => {
    /** Like `redis-cli --cluster reshard`, but the caller decides when each key moves. */
    async function beginMove(partition: number) {
      const nodes = cluster.nodes.map((node) => new Redis(node.url));
      const [one] = nodes;
      if (one === undefined) throw new Error('the cluster has no nodes');
      const slot = String(await one.call('CLUSTER', 'KEYSLOT', partitionKey(partition, 'epoch')));
      const keysIn = (node: Redis) => node.call('CLUSTER', 'GETKEYSINSLOT', slot, '100');
      const held = await Promise.all(nodes.map(async (node) => String(await keysIn(node)) !== ''));
      const from = held.indexOf(true);
      const to = (from + 1) % nodes.length;
      const [source, target] = [nodes[from], nodes[to]];
      if (source === undefined || target === undefined) throw new Error('nobody has the slot');
      const targetId = String(await target.call('CLUSTER', 'MYID'));
      const sourceId = String(await source.call('CLUSTER', 'MYID'));
      await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId);
      await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId);
      const port = String(cluster.nodes[to]?.port);
      const move = async (key: string) => {
        expect(await source.call('MIGRATE', '127.0.0.1', port, key, '0', '5000')).toBe('OK');
      };
      const finish = async () => {
        for (const key of (await keysIn(source)) as string[]) await move(key);
        for (const node of [target, ...nodes.filter((other) => other !== target)]) {
          await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
        }
        for (const node of nodes) node.disconnect();
      };
      return { move, finish };
    }

    /** Scripts that nodes have refused because a slot was split. */
    const triedAgain = async (): Promise<number> => {
      const nodes = redis instanceof Cluster ? redis.nodes('master') : [];
      const reports = await Promise.all(nodes.map((node) => node.info('errorstats')));
      const counts = reports.map((text) => /errorstat_TRYAGAIN:count=(\d+)/.exec(text)?.[1]);
      return counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
    };

    it.each(['usage', 'epoch'])(
      'charges and books once, also when its %s goes first',
      async (first) => {
        const payer = await fund(pool, 10 * USD);
        const before = holdOf(payer, { amountNanoUsd: 8 * USD });
        expect(await ledger.hold(before)).toMatchObject({ code: 'held' });
        expect(await ledger.settle(settleOf(before, 8 * USD))).toMatchObject({ code: 'settled' });
        const open = holdOf(payer);
        expect(await ledger.hold(open)).toMatchObject({ code: 'held' });
        const partition = partitionOf(payer.account.id);
        const triesBefore = await triedAgain();
        const { move, finish } = await beginMove(partition);
        await move(partitionKey(partition, first));
        const settled = ledger.settle(settleOf(open, 700));
        const more = ledger.hold(holdOf(payer, { amountNanoUsd: 8 * USD }));
        const drain = startDrain({ redis, pool, ageMsMin: 0, pauseMs: 10 });
        // The batch with settle and hold, or its repetition, and the drain have met the split slot.
        await until('scripts to be refused', async () => (await triedAgain()) >= triesBefore + 2);
        await finish();
        expect(await settled).toMatchObject({ code: 'settled' });
        expect(await more).toMatchObject({ code: 'insufficient_balance' });
        await untilDrained(redis, drain);
        expect(await stateOf({ ledger }, payer.account.id)).toEqual([2 * USD - 700, 0, 0, 0]);
        await expectReconciled(pool, redis);
      },
    );
  });
});
