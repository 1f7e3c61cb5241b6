import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { partitionKey, partitionOf } from '../../../gateway/ledger/partition.ts';
import type { RedisLedger } from '../../../gateway/ledger/redis/redis-ledger.ts';
import { usageEntriesJson } from '../../../gateway/ledger/redis/commands/usage-entry.ts';
import { reconcileRecords } from '../../../gateway/ledger/reconcile/reconcile-postgres.ts';
import { reconcileRedis } from '../../../gateway/ledger/reconcile/reconcile-redis.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { migrate } from '../../../gateway/stores/postgres/migrate.ts';
import { connectRedis, type RedisClient } from '../../../gateway/stores/redis/connect.ts';
import { startDrain } from '../../../gateway/usage/drain.ts';
import { UsageStream } from '../../../gateway/ledger/redis/usage/usage-stream.ts';
import { openBothStores, type BothStores } from '../../support/stores/both-stores.ts';
import { HANG_MS, until } from '../../support/clocks/hang.ts';
import { startPostgres } from '../../support/stores/postgres.ts';
import { startRedis } from '../../support/stores/redis.ts';
import { drainAll as drainStores, untilDrained } from '../ledger/support/drain-all.ts';
import {
  fund,
  holdOf,
  recordOf,
  settleOf,
  subscriptionOf,
  USD,
} from '../ledger/support/fixtures.ts';
import { openRedisLedger } from '../ledger/support/redis-ledger.ts';
import { expectReconciled } from '../ledger/support/reconcile.ts';

const DAY_MS = 86_400_000;
const PAUSE_MS_MAX = 400;

describe('the drain of usage into Postgres', () => {
  let stores: BothStores;
  let pool: pg.Pool;
  let redis: RedisClient;
  let ledger: RedisLedger;

  beforeAll(async () => {
    stores = await openBothStores(8);
    ({ pool, redis } = stores);
    ledger = openRedisLedger({ redis, pool });
  });

  afterAll(async () => {
    await ledger.close();
    await stores.close();
  });

  const drainAll = (readers = 1): Promise<number> => drainStores({ redis, pool }, readers);

  beforeEach(async () => {
    await drainAll();
  });

  const spend = async (payer: Awaited<ReturnType<typeof fund>>, cost: number) => {
    const hold = holdOf(payer);
    await ledger.hold(hold);
    await ledger.settle(settleOf(hold, cost));
    return hold;
  };

  it('enters what comes one by one in few transactions, each of what has gathered in a pause', async () => {
    const payer = await fund(pool, 10 * USD);
    // The drain stays in its first pause, which is longer than the test, until it is stopped.
    const drain = startDrain({ redis, pool, ageMsMin: 0, pauseMs: DAY_MS });
    for (let count = 0; count < 40; count += 1) await spend(payer, 1);
    await drain.stop(HANG_MS);
    await until('all records', () => drain.status().added === 40);
    const { rows } = await pool.query<{ transactions: number }>(
      'select count(distinct xmin::text)::int as transactions from usage_records where account_id = $1',
      [payer.account.id],
    );
    expect(rows[0]?.transactions).toBeLessThan(5);
  });

  it('waits until a round is worthwhile when little comes at a time', async () => {
    const payer = await fund(pool, 10 * USD);
    const rounds = async (): Promise<number> => {
      const { rows } = await pool.query<{ rounds: string }>(
        'select last_value as rounds from usage_batches',
      );
      return Number(rows[0]?.rounds);
    };
    const before = await rounds();
    const startMs = performance.now();
    const drain = startDrain({ redis, pool, ageMsMin: PAUSE_MS_MAX, pauseMs: 1 });
    for (let count = 0; count < 60; count += 1) {
      await spend(payer, 1);
      await sleep(25);
    }
    await until('all records', () => drain.status().added === 60);
    await drain.stop(HANG_MS);
    // A slow machine takes longer, with no more rounds. Without the pauses each record would have a
    // round.
    const pauses = (performance.now() - startMs) / PAUSE_MS_MAX;
    expect((await rounds()) - before).toBeLessThan(10 + 2 * pauses);
  });

  it('enters every record once, with everything that follows from it', async () => {
    const payer = await fund(pool, 10 * USD);
    const hold = await spend(payer, 700);
    await spend(payer, 300);
    expect(await drainAll()).toBe(2);
    const { rows } = await pool.query('select * from usage_records where request_id = $1', [
      hold.requestId,
    ]);
    const record = recordOf(hold, 700);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      account_id: payer.account.id,
      key_id: payer.key.id,
      model: record.model,
      created_at: new Date(record.createdAtMs),
      input_tokens: 10,
      cost_nano_usd: 700,
      balance_nano_usd: 700,
      subscription_nano_usd: 0,
      uncollected_nano_usd: 0,
      recovered: false,
    });
    const { rows: accounts } = await pool.query<{ balance: number }>(
      'select balance_nano_usd as balance from accounts where id = $1',
      [payer.account.id],
    );
    expect(accounts[0]?.balance).toBe(10 * USD - 1000);
    const { rows: days } = await pool.query(
      'select requests, cost_nano_usd, input_tokens from usage_daily where account_id = $1',
      [payer.account.id],
    );
    expect(days).toEqual([{ requests: 2, cost_nano_usd: 1000, input_tokens: 20 }]);
    await expectReconciled(pool, redis);
  });

  it('marks the key as used without waking the gateways', async () => {
    const payer = await fund(pool, USD);
    await pool.query(`insert into groups (id, name) values ($1, 'drained')`, [payer.group.id]);
    await pool.query(
      `insert into keys (id, account_id, group_id, name, digest, prefix) values ($1, $2, $3, '', $4, 'sk-')`,
      [payer.key.id, payer.account.id, payer.group.id, randomBytes(32)],
    );
    const changes = async () =>
      (await pool.query<{ count: number }>('select count(*) from changes')).rows[0]?.count;
    const before = await changes();
    await spend(payer, 5);
    await drainAll();
    const { rows } = await pool.query<{ used: Date }>(
      'select last_used_at as used from keys where id = $1',
      [payer.key.id],
    );
    expect(rows[0]?.used).toBeInstanceOf(Date);
    expect(await changes()).toBe(before);
  });

  it('books what subscriptions paid and what could not be collected', async () => {
    const subscription = subscriptionOf([{ window: 'day', limitNanoUsd: USD }]);
    const payer = await fund(pool, USD, { subscriptions: [subscription] });
    await spend(payer, 5 * USD);
    await expectReconciled(pool, redis);
    await drainAll();
    const { rows } = await pool.query(
      `select allowance_window, used_nano_usd from subscription_windows where subscription_id = $1 order by 1`,
      [subscription.id],
    );
    expect(rows).toEqual(
      ['5h', 'day', 'month', 'week'].map((window) => ({
        allowance_window: window,
        used_nano_usd: USD,
      })),
    );
    const { rows: entries } = await pool.query(
      `select debit, amount_nano_usd from journal_entries where account_id = $1 and credit = 'revenue' order by debit`,
      [payer.account.id],
    );
    expect(entries).toEqual([
      { debit: 'customer_balance', amount_nano_usd: USD },
      { debit: 'subscription_allowance', amount_nano_usd: USD },
      { debit: 'uncollected', amount_nano_usd: 3 * USD },
    ]);
    // On the same day, in another transaction.
    await ledger.settle(settleOf(holdOf(payer), 2 * USD));
    await drainAll();
    await expectReconciled(pool, redis);
  });

  it('continues while a query reads the table and the next month cannot be created', async () => {
    const newest = async () => {
      const { rows } = await pool.query<{ name: string }>(
        `select max(relname) as name from pg_class where relname ~ '^usage_records_[0-9_]{7}$'`,
      );
      return rows[0]?.name ?? '';
    };
    const missing = await newest();
    await pool.query('select drop_usage_partition($1)', [missing]);
    await pool.query(`alter function ensure_usage_partitions(integer) set lock_timeout = '20ms'`);
    const payer = await fund(pool, USD);
    await spend(payer, 7);
    const reader = await pool.connect();
    await reader.query('begin');
    await reader.query('select from usage_records');
    expect(await drainAll()).toBe(1);
    expect(await newest()).not.toBe(missing);
    await reader.query('rollback');
    reader.release();
    await drainAll();
    expect(await newest()).toBe(missing);
  });

  it('enters a record once although it is delivered twice', async () => {
    const payer = await fund(pool, USD);
    await spend(payer, 7);
    const stream = partitionKey(partitionOf(payer.account.id), 'usage');
    const [entry] = await redis.xrange(stream, '-', '+');
    if (entry === undefined) throw new Error('nothing in the stream');
    await drainAll();
    await redis.xadd(stream, '*', ...entry[1], ...entry[1]);
    expect(await drainAll()).toBe(0);
    await expectReconciled(pool, redis);
  });

  it('shares the work between several readers without doubling it', async () => {
    const payers = await Promise.all(Array.from({ length: 30 }, () => fund(pool, 10 * USD)));
    await Promise.all(
      payers.flatMap((payer) => Array.from({ length: 10 }, () => spend(payer, 1_000))),
    );
    expect(await drainAll(4)).toBe(300);
    await expectReconciled(pool, redis);
  });

  it('leaves a partition to its reader until the lease is released', async () => {
    const payer = await fund(pool, USD);
    await spend(payer, 7);
    const partition = partitionOf(payer.account.id);
    const [reader, other] = ['reader', 'other'].map((name) => new UsageStream(redis, name));
    const read = async (by = reader) =>
      (await by?.read(100, 0))?.partitions.map((one) => one.partition);
    expect(await read()).toEqual([partition]);
    expect(await read(other)).toEqual([]);
    await other?.releaseLeases([partition]);
    expect(await read(other)).toEqual([]);
    await reader?.releaseLeases([partition]);
    expect(await read(other)).toEqual([partition]);
    await other?.releaseLeases([partition]);
    expect(await drainAll()).toBe(1);
  });

  it('leaves entries alone until they are old enough', async () => {
    const payer = await fund(pool, USD);
    await spend(payer, 7);
    const drain = startDrain({ redis, pool, ageMsMin: DAY_MS, pauseMs: 5 });
    await until('a round', () => drain.status().waiting === 1);
    await drain.stop(0);
    expect(drain.status()).toMatchObject({ waiting: 1, added: 0 });
    expect(await drainAll()).toBe(1);
  });

  it('enters nothing into a database that has forgotten an epoch', async () => {
    const payer = await fund(pool, USD);
    await spend(payer, 7);
    const partition = partitionOf(payer.account.id);
    const move = `update ledger_epochs set epoch = epoch + $2 where partition = $1`;
    await pool.query(move, [partition, -1]);
    const drain = startDrain({ redis, pool, ageMsMin: 0, pauseMs: 5 });
    await until('a failure', () => drain.status().failure?.includes('epoch'));
    await drain.stop(0);
    expect(drain.status()).toMatchObject({ waiting: 1, added: 0, rejected: 0 });
    await pool.query(move, [partition, 1]);
    expect(await drainAll()).toBe(1);
    await expectReconciled(pool, redis);
  });

  it('waits while Postgres is down and goes on when it is back', async () => {
    const server = await startPostgres({ fsync: true });
    const own = openPool(server.url, { connectionsMax: 4, applicationName: 'test' });
    await migrate(own);
    const redisServer = await startRedis();
    const client = connectRedis(redisServer.url);
    await client.connect();
    const local = openRedisLedger({ redis: client, pool: own });
    const payer = await fund(own, USD);
    const hold = holdOf(payer);
    await local.hold(hold);
    const other = holdOf(payer);
    await local.hold(other);
    const drain = startDrain({ redis: client, pool: own, ageMsMin: 0, pauseMs: 5 });
    await server.kill();
    expect(await local.settle(settleOf(hold, 9))).toMatchObject({ code: 'settled' });
    await until('a failure', () => drain.status().waiting === 1 && drain.status().failure !== null);
    await server.restart();
    await until('the record', () => drain.status().added === 1);
    await drain.stop(HANG_MS);
    await expectReconciled(own, client);
    await local.close();
    // A stop does not wait for a store that is unreachable or hangs. A store that returns only
    // after the stop proves it.
    const end = () =>
      startDrain({ redis: client, pool: own, ageMsMin: 0, pauseMs: 5 }).stop(DAY_MS);
    redisServer.pause();
    await end();
    redisServer.resume();
    await local.settle(settleOf(other, 9));
    await server.kill();
    await end();
    await redisServer.kill();
    await end();
    client.disconnect();
    await own.end();
    await Promise.all([server.stop(), redisServer.stop()]);
  });

  it('reads pieces in the words of a record that is entered alone', async () => {
    const subscription = subscriptionOf([{ window: 'day', limitNanoUsd: USD }]);
    const payer = await fund(pool, 2 * USD, { subscriptions: [subscription] });
    for (const cost of [7, 2 * USD, 3 * USD]) await spend(payer, cost);
    const stream = new UsageStream(redis, 'reader');
    const { partitions } = await stream.read(100, 0);
    const pieces = partitions.filter(
      ({ partition }) => partition === partitionOf(payer.account.id),
    );
    const [piece] = pieces;
    if (piece === undefined) throw new Error('nothing was read');
    expect(pieces).toHaveLength(1);
    expect(JSON.parse(`[${String(piece.json)}]`)).toEqual(
      JSON.parse(usageEntriesJson(await stream.entriesUntil(piece))),
    );
    expect(String(piece.json)).toContain(subscription.id);
    await stream.releaseLeases([piece.partition]);
    expect(await drainAll()).toBe(3);
  });

  it.each<[string, (record: string, charge: string) => [string, string]]>([
    ['half of a record', (_record, charge) => ['{"requestId', charge]],
    [
      'a record whose brace is missing, which what follows would make whole, with a digit less',
      (record, charge) => [record.replace(/("latencyMs":\d+).*/, '$1'), charge],
    ],
    ['a record and a piece', (record, charge) => [`${record},{"model":"x"}`, charge]],
    ['half of a charge', (record) => [record, '12,x']],
    ['a charge with half of a subscription', (record, charge) => [record, `${charge};0,1`]],
  ])('puts aside %s, and enters what stands around it', async (_name, spoil) => {
    const payer = await fund(pool, USD);
    await spend(payer, 1);
    const stream = partitionKey(partitionOf(payer.account.id), 'usage');
    const [entry] = await redis.xrange(stream, '-', '+');
    const [, record = '', , charge = ''] = entry?.[1] ?? [];
    const [badRecord, badCharge] = spoil(record, charge);
    const bad = ['r', badRecord, 'c', badCharge];
    await redis.xadd(stream, '*', ...bad, ...bad);
    await spend(payer, 2);
    const drain = startDrain({ redis, pool, ageMsMin: 0, pauseMs: 5 });
    await untilDrained(redis, drain);
    expect(drain.status()).toMatchObject({ waiting: 0, added: 2, rejected: 2, failure: null });
    expect(await redis.exists(partitionKey(partitionOf(payer.account.id), 'joined'))).toBe(0);
    await pool.query('delete from usage_rejected');
    await expectReconciled(pool, redis);
  });

  it('quarantines a record that Postgres rejects, inserts those around it, and reconcile reports it', async () => {
    const payer = await fund(pool, USD);
    await spend(payer, 1);
    const bad = holdOf(payer);
    await ledger.settle(settleOf(bad, 2, { recordJson: '{"requestId": "no"}' }));
    await spend(payer, 3);
    const drain = startDrain({ redis, pool, ageMsMin: 0, pauseMs: 5 });
    await untilDrained(redis, drain);
    expect(drain.status()).toMatchObject({ waiting: 0, added: 2, rejected: 1 });
    const { rows } = await pool.query<{ entry: string }>('select entry from usage_rejected');
    expect(rows[0]?.entry).toContain('requestId');
    const { differences } = await reconcileRedis(redis, pool);
    expect(differences).toContainEqual({
      check: 'I2: available + held - owed = balance - not drained',
      subject: payer.account.id,
      expected: USD - 4,
      found: USD - 6,
    });
    expect((await reconcileRecords(pool)).map(({ check }) => check)).toEqual([
      'usage_rejected is empty',
    ]);
  });
});
