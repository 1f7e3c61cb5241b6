import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyCredits, applyRecentCredits } from '../../../../gateway/ledger/apply-credits.ts';
import type { Payer } from '../../../../gateway/ledger/ledger.ts';
import { partitionKey, partitionOf } from '../../../../gateway/ledger/partition.ts';
import type { RedisLedger } from '../../../../gateway/ledger/redis/redis-ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { until } from '../../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { type RedisServer, startRedis } from '../../../support/stores/redis.ts';
import { stateOf } from '../support/ask.ts';
import { drainAll } from '../support/drain-all.ts';
import { addCredit, fund, holdOf, settleOf, subscriptionOf, USD } from '../support/fixtures.ts';
import { openRedisLedger } from '../support/redis-ledger.ts';
import { expectReconciled } from '../support/reconcile.ts';

const ACCOUNTS = 20;

/**
 * Records the end of the append-only file. Cutting the file there, while the server is down, has
 * the effect of a power failure on what was not on disk yet.
 */
async function markLog(redis: RedisClient): Promise<{ cut: () => void }> {
  const [, directory = ''] = await redis.config('GET', 'dir');
  const folder = join(directory, 'appendonlydir');
  const name = readdirSync(folder).find((file) => file.endsWith('.incr.aof'));
  if (name === undefined) throw new Error('Redis keeps no append-only file');
  const path = join(folder, name);
  const { size } = statSync(path);
  return {
    cut: () => {
      truncateSync(path, size);
    },
  };
}

/**
 * Two gateways, each with its own connection and ledger, when Redis loses the end of its log or
 * everything.
 */
describe('recovery of the ledger in Redis', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let server: RedisServer;
  let clients: RedisClient[];
  let ledgers: RedisLedger[];

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 16, applicationName: 'test' });
    server = await startRedis({ appendonly: true, appendfsync: 'everysec' });
    clients = [connectRedis(server.url), connectRedis(server.url)];
    await Promise.all(clients.map((client) => client.connect()));
    ledgers = clients.map((redis) => openRedisLedger({ redis, pool }));
  });

  afterAll(async () => {
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    for (const client of clients) client.disconnect();
    await Promise.all([server.stop(), pool.end()]);
    await database.drop();
  });

  const ledgerOf = (index: number): RedisLedger => {
    const ledger = ledgers[index % ledgers.length];
    if (ledger === undefined) throw new Error('no ledger');
    return ledger;
  };

  const redisOf = (): RedisClient => {
    const [client] = clients;
    if (client === undefined) throw new Error('no client');
    return client;
  };

  const spend = async (payer: Payer, cost: number, index: number) => {
    const ledger = ledgerOf(index);
    const hold = holdOf(payer, { amountNanoUsd: 2 * cost });
    expect(await ledger.hold(hold)).toMatchObject({ code: 'held' });
    const settle = settleOf(hold, cost);
    expect(await ledger.settle(settle)).toMatchObject({ code: 'settled' });
    return settle;
  };

  const drain = async (): Promise<void> => {
    await drainAll({ redis: redisOf(), pool });
  };

  const allReady = () =>
    until('both connections', () => clients.every(({ status }) => status === 'ready'));

  const noneKept = () =>
    until('no settle to be kept any more', () =>
      ledgers.every(({ retained }) => retained.count === 0),
    );

  const catchUp = async (payers: readonly Payer[]): Promise<void> => {
    for (const payer of payers) await applyCredits(ledgerOf(0), pool, payer.account.id);
  };

  const expectBalances = async (payers: readonly Payer[], balanceNanoUsd: number) => {
    for (const payer of payers) {
      expect(await stateOf({ ledger: ledgerOf(0) }, payer.account.id)).toEqual([
        balanceNanoUsd,
        0,
        0,
        0,
      ]);
    }
  };

  it('keeps settles until they are in Postgres, and no longer', async () => {
    const payer = await fund(pool, 10 * USD);
    await spend(payer, 7, 0);
    await spend(payer, 7, 1);
    expect(ledgers.map(({ retained }) => retained.count)).toEqual([1, 1]);
    await drain();
    await noneKept();
  });

  it('goes on where it was after Redis was killed and came back with its log', async () => {
    const payers = await Promise.all(Array.from({ length: ACCOUNTS }, () => fund(pool, 10 * USD)));
    await Promise.all(payers.map((payer, index) => spend(payer, 1_000, index)));
    await server.kill();
    await server.restart();
    await allReady();
    await Promise.all(payers.map((payer, index) => spend(payer, 500, index + 1)));
    await expectBalances(payers, 10 * USD - 1_500);
    await drain();
    await expectReconciled(pool, redisOf());
  });

  it('applies again what Redis lost with the end of its log: settles, holds, credits, loads', async () => {
    const payers = await Promise.all(Array.from({ length: ACCOUNTS }, () => fund(pool, 10 * USD)));
    const [before, after] = [payers.slice(0, ACCOUNTS / 2), payers.slice(ACCOUNTS / 2)];
    await Promise.all(before.map((payer, index) => spend(payer, 1_000, index)));
    // Everything after this is lost: the store is restored to this moment.
    const log = await markLog(redisOf());
    await Promise.all(before.map((payer, index) => spend(payer, 300, index)));
    await Promise.all(after.map((payer, index) => spend(payer, 1_300, index)));
    await Promise.all(
      payers.map((payer) =>
        addCredit(pool, payer.account.id, 5).then((entry) => ledgerOf(0).credit(entry)),
      ),
    );
    const open = holdOf(payers[0] ?? (await fund(pool, 0)));
    await ledgerOf(0).hold(open);
    await server.kill();
    log.cut();
    await server.restart();
    await allReady();
    await applyRecentCredits(ledgerOf(0), pool, 600_000);
    for (const payer of [payers.at(-1), payers[1]]) {
      await until('what was lost', async () => {
        const [available] = await stateOf({ ledger: ledgerOf(0) }, payer?.account.id ?? '');
        return available === 10 * USD - 1_300 + 5;
      });
    }
    expect(await ledgerOf(0).settle(settleOf(open, 11))).toMatchObject({ code: 'settled_late' });
    await drain();
    await expectBalances(payers.slice(1), 10 * USD - 1_300 + 5);
    await expectReconciled(pool, redisOf());
  });

  it('inserts what Redis has lost into Postgres, and charges it once', async () => {
    const payers = await Promise.all(Array.from({ length: ACCOUNTS }, () => fund(pool, 10 * USD)));
    await Promise.all(payers.map((payer, index) => spend(payer, 1_000, index)));
    await drain();
    const settles = await Promise.all(payers.map((payer, index) => spend(payer, 300, index)));
    const open = holdOf(payers[0] ?? (await fund(pool, 0)));
    await ledgerOf(0).hold(open);
    await redisOf().flushall();
    // Requests continue at once: accounts are loaded again, some of them before the lost settles
    // are recovered.
    const hold = async (payer: Payer) => {
      await until('a hold', async () => {
        const { code } = await ledgerOf(1).hold(holdOf(payer, { amountNanoUsd: 1 }));
        return code === 'held';
      });
    };
    await Promise.all(payers.slice(0, 5).map(hold));
    await noneKept();
    await catchUp(payers);
    expect(await ledgerOf(0).settle(settleOf(open, 11))).toMatchObject({ code: 'settled_late' });
    for (const payer of payers.slice(5)) {
      expect((await stateOf({ ledger: ledgerOf(0) }, payer.account.id))[0]).toBe(10 * USD - 1_300);
    }
    const { rows } = await pool.query<{ count: number }>(
      'select count(*) from usage_records where recovered and request_id = any($1)',
      [settles.map((settle) => settle.requestId)],
    );
    expect(rows[0]?.count).toBe(ACCOUNTS);
    await drain();
    await expectReconciled(pool, redisOf());
  });

  it('enters what was settled before the connections broke and Redis came back empty', async () => {
    const payers = await Promise.all(Array.from({ length: 2 }, () => fund(pool, 10 * USD)));
    const settles = await Promise.all(payers.map((payer, index) => spend(payer, 300, index)));
    // Both gateways doubt their settles before either notices that the store is another.
    const closed = clients.map((client) => new Promise((resolve) => client.once('close', resolve)));
    for (const client of clients) client.disconnect();
    await Promise.all(closed);
    const other = connectRedis(server.url);
    await other.connect();
    await other.flushall();
    other.disconnect();
    await Promise.all(clients.map((client) => client.connect()));
    const booked = async () => {
      const { rows } = await pool.query<{ count: number }>(
        'select count(*) from usage_records where recovered and request_id = any($1)',
        [settles.map((settle) => settle.requestId)],
      );
      return rows[0]?.count;
    };
    await until('every settle in Postgres', async () => (await booked()) === settles.length);
    await catchUp(payers);
    await expectBalances(payers, 10 * USD - 300);
    await drain();
    await expectReconciled(pool, redisOf());
  });

  it('charges what subscriptions paid, also when the settle was sent again before the store was lost', async () => {
    const subscription = subscriptionOf([{ window: 'day', limitNanoUsd: USD }]);
    const over = subscriptionOf(subscription.allowances, {
      endsAtMs: subscription.startedAtMs + 1,
    });
    const payer = await fund(pool, 10 * USD, { subscriptions: [over, subscription] });
    const whole = await spend(payer, 300, 0);
    const shared = holdOf(payer, { amountNanoUsd: 2 * USD });
    await ledgerOf(0).hold(shared);
    await ledgerOf(0).settle(settleOf(shared, USD + 700));
    // A lost connection makes settles doubtful: they are sent again, and recognised.
    const closed = new Promise((resolve) => redisOf().once('close', resolve));
    redisOf().disconnect(true);
    await closed;
    await expect.poll(() => redisOf().status).toBe('ready');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await redisOf().flushall();
    const ids = [whole.requestId, shared.requestId];
    const booked = async () =>
      (
        await pool.query<Record<string, number>>(
          `select balance_nano_usd, subscription_nano_usd from usage_records where recovered and request_id = any($1)
           order by cost_nano_usd`,
          [ids],
        )
      ).rows;
    await expect.poll(booked).toEqual([
      { balance_nano_usd: 0, subscription_nano_usd: 300 },
      { balance_nano_usd: 1_000, subscription_nano_usd: USD - 300 },
    ]);
    const { rows: used } = await pool.query(
      `select subscription_id, used_nano_usd from subscription_windows
       where subscription_id = any($1) and allowance_window = 'day'`,
      [[over.id, subscription.id]],
    );
    expect(used).toEqual([{ subscription_id: subscription.id, used_nano_usd: USD }]);
    await catchUp([payer]);
    await drain();
    await expectReconciled(pool, redisOf());
  });

  it.each([
    ['the balance', () => [], 800],
    ['a subscription', () => [subscriptionOf([{ window: 'day', limitNanoUsd: USD }])], 0],
  ] as const)(
    'charges %s once for a settle that was sent to a store which was then lost, when it is repeated',
    async (_name, subscriptionsOf, cost) => {
      const payer = await fund(pool, 10 * USD, { subscriptions: subscriptionsOf() });
      const settle = settleOf(holdOf(payer), 700);
      const impatient = openRedisLedger({ redis: redisOf(), pool, timeoutMs: 2_000 });
      // The reply tells it the epoch.
      const before = holdOf(payer);
      expect(await impatient.hold(before)).toMatchObject({ code: 'held' });
      expect(await impatient.settle(settleOf(before, 100))).toMatchObject({ code: 'settled' });
      await drain();
      server.pause();
      // Sent, and executed when the server continues; the reply is too late.
      expect(await impatient.settle(settle)).toMatchObject({ code: 'ledger_unavailable' });
      server.resume();
      await until('the settle', async () => {
        const stream = partitionKey(partitionOf(payer.account.id), 'usage');
        return (await redisOf().xlen(stream)) === 1;
      });
      await drain();
      await redisOf().flushall();
      const balanceNanoUsd = payer.subscriptions.length === 0 ? 700 : 0;
      await expect
        .poll(() => impatient.settle(settle))
        .toMatchObject({ code: 'settled_late', balanceNanoUsd });
      await catchUp([payer]);
      expect((await stateOf({ ledger: ledgerOf(0) }, payer.account.id))[0]).toBe(10 * USD - cost);
      await drain();
      await expectReconciled(pool, redisOf());
      await impatient.close();
    },
  );
});
