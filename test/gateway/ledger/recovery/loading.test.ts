import type { Redis } from 'ioredis';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyCredits } from '../../../../gateway/ledger/apply-credits.ts';
import { partitionKey, partitionOf } from '../../../../gateway/ledger/partition.ts';
import type { RedisLedger } from '../../../../gateway/ledger/redis/redis-ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import { stateOf } from '../support/ask.ts';
import { addCredit, fund, holdOf, settleOf, subscriptionOf, USD } from '../support/fixtures.ts';
import { openRedisLedger } from '../support/redis-ledger.ts';

const DAY_MS = 86_400_000;

/**
 * Loads accounts from Postgres while everything else continues. Two gateways on the same stores.
 */
describe('loading accounts into Redis', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let redis: RedisClient;
  let other: RedisClient;
  let first: RedisLedger;
  let second: RedisLedger;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 10, applicationName: 'test' });
    const url = await redisUrl();
    redis = connectRedis(url);
    other = connectRedis(url);
    await Promise.all([redis.connect(), other.connect()]);
    first = openRedisLedger({ redis, pool });
    second = openRedisLedger({ redis: other, pool });
  });

  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
    redis.disconnect();
    other.disconnect();
    await pool.end();
    await database.drop();
  });

  const available = async (accountId: string) => (await stateOf({ ledger: first }, accountId))[0];

  it('loads an account once, whichever gateway is first', async () => {
    const payer = await fund(pool, 10 * USD);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_value, index) =>
        (index % 2 === 0 ? first : second).hold(holdOf(payer)),
      ),
    );
    expect(outcomes.filter(({ code }) => code === 'held')).toHaveLength(10);
    expect(await available(payer.account.id)).toBe(0);
  });

  it('reads rows of older gateways, which have no limit next to the level of tokens', async () => {
    const payer = await fund(pool, 10 * USD, { key: { tpm: 1_000 }, group: { tpm: 2_000 } });
    expect((await first.hold(holdOf(payer, { tokens: 800 }))).code).toBe('held');
    const account = partitionKey(partitionOf(payer.account.id), `a:${payer.account.id}`);
    for (const [field, bytes] of [
      [`k:${payer.key.id}`, 96],
      [`g:${payer.group.id}`, 32],
    ] as const) {
      const row = await redis.hgetBuffer(account, field);
      await redis.hset(account, field, row?.subarray(0, bytes) ?? '');
    }
    expect((await first.hold(holdOf(payer, { tokens: 300 }))).code).toBe('key_tpm_exceeded');
    expect((await first.hold(holdOf(payer, { tokens: 100 }))).code).toBe('held');
    const key = await redis.hstrlen(account, `k:${payer.key.id}`);
    expect([key, await redis.hstrlen(account, `g:${payer.group.id}`)]).toEqual([104, 40]);
  });

  it('neither loses nor doubles credits that come while the account is being loaded', async () => {
    for (let round = 0; round < 10; round += 1) {
      const payer = await fund(pool, USD);
      const accountId = payer.account.id;
      await Promise.all([
        first.hold(holdOf(payer)),
        addCredit(pool, accountId, 2 * USD).then((entry) => second.credit(entry)),
        addCredit(pool, accountId, 3 * USD).then(() => applyCredits(first, pool, accountId)),
        second.accountState(accountId),
      ]);
      await Promise.all([
        applyCredits(first, pool, accountId),
        applyCredits(second, pool, accountId),
      ]);
      const [availableNanoUsd = 0, heldNanoUsd = 0] = await stateOf({ ledger: first }, accountId);
      expect(availableNanoUsd + heldNanoUsd).toBe(6 * USD);
    }
  });

  it('refuses a load from before a credit that has passed', async () => {
    const payer = await fund(pool, USD);
    const accountId = payer.account.id;
    // A pool whose reply is delayed until a credit has passed.
    const gate = Promise.withResolvers<undefined>();
    const read = Promise.withResolvers<undefined>();
    const client = await pool.connect();
    const slow = Object.create(pool, {
      query: {
        value: async (text: string, values: unknown[]) => {
          const answer = await client.query(text, values);
          read.resolve(undefined);
          await gate.promise;
          return answer;
        },
      },
    }) as pg.Pool;
    const late = openRedisLedger({ redis, pool: slow });
    const state = late.accountState(accountId);
    await read.promise;
    const entry = await addCredit(pool, accountId, 2 * USD);
    expect(await first.credit(entry)).toMatchObject({ code: 'not_loaded' });
    gate.resolve(undefined);
    expect(await state).toMatchObject({ availableNanoUsd: 3 * USD, creditSequence: 2 });
    await late.close();
    client.release();
  });

  it('applies every credit of an account that is behind', async () => {
    const payer = await fund(pool, USD);
    await available(payer.account.id);
    for (let count = 0; count < 5; count += 1) await addCredit(pool, payer.account.id, USD);
    expect(await applyCredits(first, pool, payer.account.id)).toBe(5);
    expect(await applyCredits(second, pool, payer.account.id)).toBe(0);
    expect(await available(payer.account.id)).toBe(6 * USD);
  });

  it('loads what keys have spent and what subscriptions have used', async () => {
    const subscription = subscriptionOf([{ window: 'month', limitNanoUsd: 10 * USD }]);
    const payer = await fund(pool, 10 * USD, {
      key: { budgets: [{ period: 'month', limitNanoUsd: 5 * USD }] },
      subscriptions: [subscription],
    });
    await pool.query(
      `insert into key_spend (key_id, period, period_start, spent_nano_usd)
       select $1::uuid, period, period_start(period, now()), 4000000000 from unnest(array['total', 'day', 'month']) period`,
      [payer.key.id],
    );
    await pool.query(
      `insert into subscription_windows (subscription_id, allowance_window, period_start, used_nano_usd)
       values ($1, 'month', window_start('month', from_ms($2), now()), 9500000000)`,
      [subscription.id, subscription.startedAtMs],
    );
    expect(await first.hold(holdOf(payer, { amountNanoUsd: 2 * USD }))).toMatchObject({
      code: 'key_budget_exceeded',
      affordableNanoUsd: USD,
    });
    const hold = holdOf(payer);
    await first.hold(hold);
    expect(await first.settle(settleOf(hold, USD))).toMatchObject({
      subscriptionNanoUsd: USD / 2,
      balanceNanoUsd: USD / 2,
    });
  });

  it('leaves behind what was spent and used in periods and windows that have passed', async () => {
    const startedAtMs = Date.now() - 40 * DAY_MS;
    const allowances = (['5h', 'day', 'week', 'month'] as const).map((window) => ({
      window,
      limitNanoUsd: USD,
    }));
    const subscription = subscriptionOf(allowances, { startedAtMs });
    const payer = await fund(pool, 0, {
      key: {
        budgets: [
          { period: 'day', limitNanoUsd: USD },
          { period: 'month', limitNanoUsd: USD },
        ],
      },
      subscriptions: [subscription],
    });
    await pool.query(
      `insert into key_spend (key_id, period, period_start, spent_nano_usd)
       select $1::uuid, period, period_start(period, now() - interval '40 days'), 1000000000
       from unnest(array['day', 'month']) period`,
      [payer.key.id],
    );
    await pool.query(
      `insert into subscription_windows (subscription_id, allowance_window, period_start, used_nano_usd)
       select $1::uuid, name, from_ms($2), 1000000000 from unnest(array['5h', 'day', 'week', 'month']) name`,
      [subscription.id, startedAtMs],
    );
    expect(await first.hold(holdOf(payer))).toMatchObject({ code: 'held' });
  });

  it('does not load anything into a store that has no epoch until it has been given one', async () => {
    const payer = await fund(pool, USD);
    const partition = partitionOf(payer.account.id);
    await redis.del(partitionKey(partition, 'epoch'));
    expect(await first.hold(holdOf(payer))).toMatchObject({ code: 'held' });
    const { rows } = await pool.query<{ epoch: number }>(
      'select epoch from ledger_epochs where partition = $1',
      [partition],
    );
    expect(await redis.get(partitionKey(partition, 'epoch'))).toBe(String(rows[0]?.epoch));
  });

  it('does not load anything into a store of another epoch', async () => {
    const payer = await fund(pool, USD);
    const key = partitionKey(partitionOf(payer.account.id), 'epoch');
    const epoch = await (redis as Redis).getset(key, '99');
    const outcome = await first.hold(holdOf(payer));
    await redis.set(key, epoch ?? '1');
    expect(outcome.code).toBe('ledger_unavailable');
    expect(await first.hold(holdOf(payer))).toMatchObject({ code: 'held' });
  });
});
