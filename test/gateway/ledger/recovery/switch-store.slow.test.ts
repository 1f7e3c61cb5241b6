import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresLedger } from '../../../../gateway/ledger/create-ledger.ts';
import type { Ledger, Payer } from '../../../../gateway/ledger/ledger.ts';
import {
  type LedgerStore,
  recordedStore,
  recordStore,
} from '../../../../gateway/ledger/ledger-store.ts';
import {
  partitionKey,
  PARTITION_NAMES,
  partitionOf,
} from '../../../../gateway/ledger/partition.ts';
import { OWNER_KEY } from '../../../../gateway/ledger/redis/recovery/ledger-ownership.ts';
import { switchStore, type SwitchOutcome } from '../../../../gateway/ledger/switch-store.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import type { RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { openBothStores, type BothStores } from '../../../support/stores/both-stores.ts';
import { runCommand, type CommandEnd } from '../../../support/machine/command.ts';
import { until } from '../../../support/clocks/hang.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import { TEST_SECRET_KEY } from '../../../support/seed.ts';
import { drainAll } from '../support/drain-all.ts';
import { addCredit, fund, holdOf, settleOf, USD } from '../support/fixtures.ts';
import { openRedisLedger } from '../support/redis-ledger.ts';
import { expectReconciled } from '../support/reconcile.ts';

let stores: BothStores;
let pool: pg.Pool;
let redis: RedisClient;

beforeEach(async () => {
  stores = await openBothStores();
  ({ pool, redis } = stores);
  await redis.flushdb();
});
afterEach(() => stores.close());

/** A process of Weir with this store, from start to end. */
async function using(store: LedgerStore, act: (ledger: Ledger) => Promise<void>): Promise<void> {
  const ledger =
    store === 'postgres' ? createPostgresLedger({ pool }) : openRedisLedger({ redis, pool });
  await act(ledger);
  await ledger.close();
  if (store === 'redis') await drain();
}

async function drain(): Promise<void> {
  await drainAll({ redis, pool });
}

/** Makes requests of this cost until one is refused; returns how many were served. */
async function spendAll(ledger: Ledger, payer: Payer, cost: number): Promise<number> {
  for (let served = 0; ; served += 1) {
    if (!(await spend(ledger, payer, cost))) return served;
  }
}

async function spend(ledger: Ledger, payer: Payer, cost: number): Promise<boolean> {
  const hold = holdOf(payer, { amountNanoUsd: cost });
  const { code } = await ledger.hold(hold);
  if (code === 'insufficient_balance') return false;
  expect(code).toBe('held');
  expect(await ledger.settle(settleOf(hold, cost))).toMatchObject({ code: 'settled' });
  return true;
}

/** An opened ledger starts epochs in the background, and finishes this even after it is closed. */
async function everyEpochBegun(): Promise<void> {
  const keys = [...PARTITION_NAMES.keys()].map((at) => partitionKey(at, 'epoch'));
  await until('every epoch', async () => !(await redis.mget(keys)).includes(null));
}

const switchTo = (target: LedgerStore): Promise<SwitchOutcome> =>
  switchStore({ target, pool, redis });

async function expectSwitched(target: LedgerStore): Promise<void> {
  expect(await switchTo(target)).toEqual({ code: 'switched' });
  expect(await recordedStore(pool)).toBe(target);
  // A second switch changes nothing.
  expect(await switchTo(target)).toEqual({ code: 'already' });
}

describe('what is spent before and after a switch', () => {
  it.each<[LedgerStore, LedgerStore]>([
    ['postgres', 'redis'],
    ['redis', 'postgres'],
  ])('is the balance and no more, from %s to %s and back', async (first, second) => {
    await recordStore(pool, first);
    const payer = await fund(pool, 10 * USD);
    const other = await fund(pool, USD);
    await using(first, async (ledger) => {
      await spend(ledger, payer, 2 * USD);
      expect(await spendAll(ledger, other, USD)).toBe(1);
    });
    await expectSwitched(second);
    await addCredit(pool, other.account.id, USD);
    await using(second, async (ledger) => {
      await spend(ledger, payer, 3 * USD);
      expect(await spendAll(ledger, other, USD)).toBe(1);
    });
    await expectSwitched(first);
    await using(first, async (ledger) => {
      expect(await spendAll(ledger, payer, USD)).toBe(5);
      expect(await spendAll(ledger, other, USD)).toBe(0);
    });
    await expectReconciled(pool, first === 'redis' ? redis : undefined);
  });
});

describe('a switch that is broken off leaves the money right where the ledger was', () => {
  /** Fails from the second call of one command on. */
  const failing = (command: 'del' | 'scan' | 'unlink' | 'set'): RedisClient => {
    let calls = 0;
    return new Proxy(redis, {
      get: (target, name): unknown => {
        if (name === command && (calls += 1) > 1) throw new Error('broken off');
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };

  it.each([
    { target: 'redis', at: 'set' },
    { target: 'redis', at: 'the note' },
    { target: 'postgres', at: 'del' },
    { target: 'postgres', at: 'scan' },
    { target: 'postgres', at: 'unlink' },
    { target: 'postgres', at: 'the note' },
  ] as const)('to $target, at $at', async ({ target, at }) => {
    const source = target === 'redis' ? 'postgres' : 'redis';
    await recordStore(pool, source);
    const payers = [await fund(pool, 10 * USD), await fund(pool, 10 * USD)];
    await using(source, async (ledger) => {
      for (const payer of payers) await spend(ledger, payer, 6 * USD);
    });
    await pool.query(
      `alter table settings add constraint broken_off check (ledger_store = '${source}')`,
    );
    const broken = at === 'the note' ? redis : failing(at);
    await expect(switchStore({ target, pool, redis: broken })).rejects.toThrow(/broken.off/);
    await using(source, async (ledger) => {
      // A hold from before its partition's new epoch would be settled late.
      if (source === 'redis') await everyEpochBegun();
      for (const payer of payers) expect(await spendAll(ledger, payer, 2 * USD)).toBe(2);
    });
    await expectReconciled(pool, source === 'redis' ? redis : undefined);
    await pool.query('alter table settings drop constraint broken_off');
    await expectSwitched(target);
  });
});

it('a balance that was left behind in both stores is not taken up again', async () => {
  const payer = await fund(pool, 10 * USD);
  // Like two processes before the store was recorded.
  await using('redis', async (ledger) => expect(await spend(ledger, payer, USD)).toBe(true));
  await using('postgres', async (ledger) => expect(await spend(ledger, payer, 4 * USD)).toBe(true));
  await expectSwitched('redis');
  await using('redis', async (ledger) => expect(await spendAll(ledger, payer, USD)).toBe(5));
  await expectReconciled(pool, redis);
});

describe('a switch is refused', () => {
  const expectRefused = async (target: LedgerStore, sentence: RegExp): Promise<void> => {
    const before = await recordedStore(pool);
    expect(await switchTo(target)).toEqual({
      code: 'refused',
      reason: expect.stringMatching(sentence) as string,
    });
    expect(await recordedStore(pool)).toBe(before);
  };

  it('while a process of Weir is connected', async () => {
    const running = openPool(stores.databaseUrl, {
      connectionsMax: 1,
      applicationName: 'weir changes',
    });
    await running.query('select 1');
    await expectRefused('redis', /^Weir is connected to the database \(weir changes\)/);
    await running.end();
    await expect.poll(() => switchTo('redis')).toEqual({ code: 'switched' });
  });

  it('while usage waits in Redis, which alone has it', async () => {
    await recordStore(pool, 'redis');
    const payer = await fund(pool, 10 * USD);
    const ledger = openRedisLedger({ redis, pool });
    await spend(ledger, payer, USD);
    await ledger.close();
    await expectRefused('postgres', /^Usage waits in Redis/);
    await drain();
    await expectSwitched('postgres');
  });

  it.each<LedgerStore>(['postgres', 'redis'])('while holds are open: to %s', async (target) => {
    const source = target === 'redis' ? 'postgres' : 'redis';
    await recordStore(pool, source);
    const hold = holdOf(await fund(pool, USD));
    await using(source, async (ledger) => {
      expect(await ledger.hold(hold)).toMatchObject({ code: 'held' });
    });
    await expectRefused(target, /^1 requests hold money in (PostgreSQL|Redis)/);
    await using(source, async (ledger) => {
      await ledger.release({ requestId: hold.requestId, accountId: hold.payer.account.id });
    });
    await expectSwitched(target);
  });

  it('to where the ledger is with a Redis that is another database’s', async () => {
    await expectSwitched('redis');
    await redis.set('{p00}:book', 'of another database');
    await expectRefused('redis', /^Redis holds the ledger of another database/);
    expect(await redis.get('{p00}:book')).toBe('of another database');
  });

  it('to PostgreSQL with another Redis than the one that has the ledger', async () => {
    await recordStore(pool, 'redis');
    const payer = await fund(pool, USD);
    await using('redis', async (ledger) => {
      expect(await spend(ledger, payer, USD)).toBe(true);
      await everyEpochBegun();
    });
    await redis.del(partitionKey(partitionOf(payer.account.id), 'epoch'));
    await expectRefused('postgres', /^Redis does not have the ledger of this database/);
  });
});

it('a process that has missed the switch begins no ledger in the Redis that was left', async () => {
  await recordStore(pool, 'redis');
  const payer = await fund(pool, 10 * USD);
  const ledger = openRedisLedger({ redis, pool });
  await spend(ledger, payer, USD);
  await drain();
  await expectSwitched('postgres');
  expect(await ledger.hold(holdOf(payer))).toMatchObject({ code: 'ledger_unavailable' });
  await ledger.close();
});

it('npm run switch-ledger moves it, and says what it has done or why not', async () => {
  const database = { DATABASE_URL: stores.databaseUrl, SECRET_KEY: TEST_SECRET_KEY };
  const env = { ...database, REDIS_URL: await redisUrl() };
  const run = (...args: string[]): Promise<CommandEnd> => runCommand('switch-ledger', args, env);
  expect(await run('mysql')).toMatchObject({
    code: 1,
    output: 'Say where the ledger is to be: npm run switch-ledger -- redis|postgres\n',
  });
  await recordStore(pool, 'postgres');
  expect(await run('redis')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^The ledger is in Redis\. Start every process/) as string,
  });
  expect(await recordedStore(pool)).toBe('redis');
  expect(await run('redis')).toEqual({
    code: 0,
    output: 'The ledger is in Redis already; nothing was done.\n',
  });
  expect(await runCommand('reconcile', [], database)).toEqual({
    code: 1,
    output: expect.stringMatching(/^REDIS_URL: is not set, and the ledger .* in Redis\./) as string,
  });
  await redis.flushdb();
  expect(await runCommand('reconcile', [], env)).toEqual({
    code: 1,
    output: expect.stringMatching(/^Redis does not have the ledger of this database/) as string,
  });
  await redis.set(OWNER_KEY, '2020-01-01T00:00:00.000000');
  expect(await runCommand('reconcile', [], env)).toEqual({
    code: 1,
    output: expect.stringMatching(/^Redis holds the ledger of another database/) as string,
  });
});
