import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';
import { applyCredits } from '../../../../gateway/ledger/apply-credits.ts';
import type { HoldOutcome, Payer } from '../../../../gateway/ledger/ledger.ts';
import { stateOf } from '../support/ask.ts';
import { fund, holdOf, recordOf, subscriptionOf, USD } from '../support/fixtures.ts';
import { openRedisLedger } from '../support/redis-ledger.ts';
import { openStore, type Store } from '../support/stores.ts';

const DAY_MS = 86_400_000;
const COST = 300;
const LIMIT = 1_000;

interface Lost {
  readonly payer: Payer;
  readonly settledAtMs: number;
}

/**
 * Usage that Redis lost and Postgres charges by a credit: it may be counted by the load or by that
 * credit only.
 */
describe('usage that Redis had lost', () => {
  let store: Store;

  beforeAll(async () => {
    store = await openStore('redis');
  });

  afterAll(async () => {
    await store.close();
  });

  /**
   * Inserts a request of the payer into Postgres, paid by its first subscription or by the balance.
   */
  async function recover({ payer, settledAtMs }: Lost): Promise<void> {
    const hold = holdOf(payer, { requestId: newRequestId(settledAtMs) });
    const [paying] = payer.subscriptions;
    const entry = {
      ...recordOf(hold, COST),
      partition: null,
      epoch: null,
      settledAtMs,
      balanceNanoUsd: paying === undefined ? COST : 0,
      uncollectedNanoUsd: 0,
      subscriptions:
        paying === undefined
          ? []
          : [{ id: paying.id, startedAtMs: paying.startedAtMs, amountNanoUsd: COST }],
    };
    await store.pool.query('select enter_usage($1, true)', [JSON.stringify([entry])]);
  }

  const tell = (payer: Payer) => applyCredits(store.ledger, store.pool, payer.account.id);

  const ask = (payer: Payer, amountNanoUsd: number): Promise<HoldOutcome> =>
    store.ledger.hold(holdOf(payer, { amountNanoUsd }));

  /** Makes the ledger load the payer's key and subscriptions. */
  async function load(payer: Payer): Promise<void> {
    const hold = holdOf(payer, { amountNanoUsd: 1 });
    expect(await store.ledger.hold(hold)).toMatchObject({ code: 'held' });
    await store.ledger.release({ requestId: hold.requestId, accountId: payer.account.id });
  }

  const withBudget = (period: 'day' | 'month' | 'total') =>
    fund(store.pool, 10 * USD, { key: { budgets: [{ period, limitNanoUsd: LIMIT }] } });

  /** All money of an account without a balance comes from its allowance. */
  const withAllowance = (window: 'day' | 'month') =>
    fund(store.pool, 0, {
      subscriptions: [
        subscriptionOf([{ window, limitNanoUsd: LIMIT }], { startedAtMs: Date.now() - 60_000 }),
      ],
    });

  describe.each([
    { when: 'before its credit', early: true },
    { when: 'between its insertion and its credit', early: false },
  ])('and whose payer is loaded $when', ({ early }) => {
    const count = async (payer: Payer): Promise<void> => {
      await stateOf(store, payer.account.id);
      if (early) await load(payer);
      await recover({ payer, settledAtMs: Date.now() });
      if (!early) await load(payer);
      expect(await tell(payer)).toBe(1);
    };

    it.each(['day', 'month', 'total'] as const)(
      'is counted once in the key’s budget of its %s',
      async (period) => {
        const payer = await withBudget(period);
        await count(payer);
        const refused = { code: 'key_budget_exceeded', affordableNanoUsd: LIMIT - COST };
        expect(await ask(payer, LIMIT - COST + 1)).toMatchObject(refused);
        expect(await ask(payer, LIMIT - COST)).toMatchObject({ code: 'held' });
        expect((await stateOf(store, payer.account.id))[0]).toBe(10 * USD - LIMIT);
      },
    );

    it.each(['day', 'month'] as const)('is counted once in the allowance of a %s', async (name) => {
      const payer = await withAllowance(name);
      await count(payer);
      const refused = { code: 'insufficient_balance', affordableNanoUsd: LIMIT - COST };
      expect(await ask(payer, LIMIT - COST + 1)).toMatchObject(refused);
      expect(await ask(payer, LIMIT - COST)).toMatchObject({ code: 'held' });
    });
  });

  it('is counted once when the key was read before its entry and is loaded after its credit', async () => {
    const payer = await withBudget('total');
    await stateOf(store, payer.account.id);
    const read = Promise.withResolvers<undefined>();
    const told = Promise.withResolvers<undefined>();
    const slow = Object.create(store.pool, {
      query: {
        value: async (query: string | pg.QueryConfig, values?: unknown[]) => {
          const answer = await store.pool.query(query, values);
          if (typeof query === 'object' && query.text.includes('key_spend')) {
            read.resolve(undefined);
            await told.promise;
          }
          return answer;
        },
      },
    }) as pg.Pool;
    const { redis } = store;
    if (redis === undefined) throw new Error('no Redis');
    const late = openRedisLedger({ redis, pool: slow });
    const hold = late.hold(holdOf(payer, { amountNanoUsd: LIMIT }));
    await read.promise;
    await recover({ payer, settledAtMs: Date.now() });
    expect(await tell(payer)).toBe(1);
    told.resolve(undefined);
    expect(await hold).toMatchObject({
      code: 'key_budget_exceeded',
      affordableNanoUsd: LIMIT - COST,
    });
    await late.close();
  });

  it.each([
    ['day', 2],
    ['month', 32],
  ] as const)('of another %s leaves the budget of this one alone', async (period, daysAgo) => {
    const payer = await withBudget(period);
    await load(payer);
    await recover({ payer, settledAtMs: Date.now() - daysAgo * DAY_MS });
    expect(await tell(payer)).toBe(1);
    expect(await ask(payer, LIMIT)).toMatchObject({ code: 'held' });
    expect((await stateOf(store, payer.account.id))[0]).toBe(10 * USD - COST - LIMIT);
  });
});
