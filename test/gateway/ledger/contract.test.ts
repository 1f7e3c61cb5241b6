import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { held, settledFromBalance, stateOf } from './support/ask.ts';
import { payerOf } from '../../support/ledger/payer.ts';
import { extendOf, fund, holdOf, settleOf, USD, withTerms } from './support/fixtures.ts';
import { openStore, STORE_KINDS, type Store } from './support/stores.ts';
import { testClock } from './support/test-clock.ts';

describe.each(STORE_KINDS)('holds of the ledger, %s', (kind) => {
  let store: Store;

  beforeAll(async () => {
    store = await openStore(kind);
  });

  afterAll(async () => {
    await store.close();
  });

  beforeEach(testClock.stop);
  afterEach(testClock.start);

  describe('hold', () => {
    it('takes the amount from what is available', async () => {
      const payer = await fund(store.pool, 5 * USD);
      expect(await store.ledger.hold(holdOf(payer, { amountNanoUsd: 2 * USD }))).toEqual({
        code: 'held',
        heldNanoUsd: 2 * USD,
      });
      expect(await stateOf(store, payer.account.id)).toEqual([3 * USD, 2 * USD, 0, 1]);
    });

    it('holds what there is when that is at least the minimum', async () => {
      const payer = await fund(store.pool, 3 * USD);
      const hold = holdOf(payer, { amountNanoUsd: 5 * USD, minimumNanoUsd: USD });
      expect(await store.ledger.hold(hold)).toEqual({ code: 'held', heldNanoUsd: 3 * USD });
      expect(await stateOf(store, payer.account.id)).toEqual([0, 3 * USD, 0, 1]);
      expect(await store.ledger.hold(hold)).toEqual({ code: 'exists', heldNanoUsd: 3 * USD });
    });

    it('refuses what the balance does not cover, and says what it would', async () => {
      const payer = await fund(store.pool, USD);
      const hold = holdOf(payer, { amountNanoUsd: 5 * USD, minimumNanoUsd: USD + 1 });
      expect(await store.ledger.hold(hold)).toEqual({
        code: 'insufficient_balance',
        retryAfterMs: null,
        affordableNanoUsd: USD,
      });
      expect(await stateOf(store, payer.account.id)).toEqual([USD, 0, 0, 0]);
    });

    it('refuses an account without any money', async () => {
      const payer = await fund(store.pool, 0);
      expect(await store.ledger.hold(holdOf(payer))).toMatchObject({
        code: 'insufficient_balance',
        affordableNanoUsd: 0,
      });
    });

    it('holds nothing for a request that costs nothing', async () => {
      const payer = await fund(store.pool, 0);
      const hold = holdOf(payer, { amountNanoUsd: 0 });
      expect(await store.ledger.hold(hold)).toEqual({ code: 'held', heldNanoUsd: 0 });
      expect(await store.ledger.settle(settleOf(hold, 0))).toEqual({
        code: 'settled',
        ...settledFromBalance(0),
      });
    });

    it('answers exists to the same request, even when the money has run out since', async () => {
      const payer = await fund(store.pool, USD);
      const hold = await held(store, holdOf(payer));
      expect(await store.ledger.hold(hold)).toEqual({ code: 'exists', heldNanoUsd: USD });
      expect(await stateOf(store, payer.account.id)).toEqual([0, USD, 0, 1]);
    });

    it.each([
      ['another amount', { amountNanoUsd: 2, minimumNanoUsd: 1 }],
      ['another minimum', { minimumNanoUsd: 1 }],
      ['other tokens', { tokens: 7 }],
    ])('answers request_conflict to the same id with %s', async (_what, other) => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = await held(store, holdOf(payer));
      expect(await store.ledger.hold({ ...hold, ...other })).toMatchObject({
        code: 'request_conflict',
      });
      expect(await stateOf(store, payer.account.id)).toEqual([4 * USD, USD, 0, 1]);
    });

    it('answers request_conflict to the same id with another key', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = await held(store, holdOf(payer));
      const other = withTerms(payer, { key: { id: payerOf().key.id } });
      expect(await store.ledger.hold({ ...hold, payer: other })).toMatchObject({
        code: 'request_conflict',
      });
    });

    it.each(['settle', 'release'] as const)('answers request_closed after %s', async (verb) => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = await held(store, holdOf(payer));
      if (verb === 'settle') await store.ledger.settle(settleOf(hold, 1));
      else await store.ledger.release({ requestId: hold.requestId, accountId: payer.account.id });
      expect(await store.ledger.hold(hold)).toMatchObject({ code: 'request_closed' });
    });

    it('rejects amounts that are not whole', async () => {
      const hold = async () => store.ledger.hold(holdOf(payerOf(), { amountNanoUsd: 1.5 }));
      await expect(hold()).rejects.toThrow(RangeError);
    });
  });

  describe('extend', () => {
    it('adds to the hold, each extension once', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = await held(store, holdOf(payer));
      const extend = extendOf(hold, { amountNanoUsd: 2 * USD });
      expect(await store.ledger.extend(extend)).toEqual({
        code: 'extended',
        heldNanoUsd: 3 * USD,
      });
      expect(await store.ledger.extend(extend)).toEqual({ code: 'exists', heldNanoUsd: 3 * USD });
      expect(await stateOf(store, payer.account.id)).toEqual([2 * USD, 3 * USD, 0, 1]);
      await store.ledger.settle(settleOf(hold, 2 * USD + 7));
      expect(await stateOf(store, payer.account.id)).toEqual([3 * USD - 7, 0, 0, 0]);
    });

    it('adds what there is when that is at least the minimum', async () => {
      const payer = await fund(store.pool, 2 * USD);
      const hold = await held(store, holdOf(payer));
      const extend = extendOf(hold, { amountNanoUsd: 5 * USD, minimumNanoUsd: 1 });
      expect(await store.ledger.extend(extend)).toEqual({
        code: 'extended',
        heldNanoUsd: 2 * USD,
      });
    });

    it('refuses what is not affordable and leaves the hold as it was', async () => {
      const payer = await fund(store.pool, 2 * USD);
      const hold = await held(store, holdOf(payer));
      const extend = extendOf(hold, { amountNanoUsd: 2 * USD });
      expect(await store.ledger.extend(extend)).toEqual({
        code: 'insufficient_balance',
        affordableNanoUsd: USD,
      });
      expect(await stateOf(store, payer.account.id)).toEqual([USD, USD, 0, 1]);
    });

    it('renews the time of a hold', async () => {
      const payer = await fund(store.pool, 2 * USD);
      const hold = await held(store, holdOf(payer, { ttlMs: 10_000 }));
      store.advance(8_000);
      await store.ledger.extend(extendOf(hold, { amountNanoUsd: 0, ttlMs: 10_000 }));
      store.advance(8_000);
      await store.ledger.expire(1_000_000);
      expect(await stateOf(store, payer.account.id)).toEqual([USD, USD, 0, 1]);
      store.advance(3_000);
      expect(await store.ledger.expire(1_000_000)).toBe(1);
      expect(await stateOf(store, payer.account.id)).toEqual([2 * USD, 0, 0, 0]);
    });

    it('may leave a hold less time than it had', async () => {
      const payer = await fund(store.pool, 2 * USD);
      const hold = await held(store, holdOf(payer, { ttlMs: 30_000 }));
      await store.ledger.extend(extendOf(hold, { amountNanoUsd: 0, ttlMs: 1_000 }));
      store.advance(1_500);
      expect(await store.ledger.expire(1_000_000)).toBe(1);
      expect(await stateOf(store, payer.account.id)).toEqual([2 * USD, 0, 0, 0]);
    });

    it('does not know a hold that never was', async () => {
      const payer = await fund(store.pool, 2 * USD);
      expect(await store.ledger.extend(extendOf(holdOf(payer)))).toEqual({
        code: 'hold_not_found',
      });
    });

    it('answers request_closed after the end', async () => {
      const payer = await fund(store.pool, 2 * USD);
      const hold = await held(store, holdOf(payer));
      await store.ledger.settle(settleOf(hold, 1));
      expect(await store.ledger.extend(extendOf(hold))).toEqual({ code: 'request_closed' });
    });
  });

  it('shows by a probe that it takes holds, and has nothing of it afterwards', async () => {
    await store.ledger.probe();
    const before = await contentOf(store);
    await Promise.all(Array.from({ length: 20 }, () => store.ledger.probe()));
    expect(await contentOf(store)).toEqual(before);
  });
});

/** Every row and key that requests leave behind. */
async function contentOf({ pool, redis }: Store): Promise<unknown> {
  const { rows } = await pool.query(`
    select (select count(*) from accounts) as accounts, (select count(*) from ledger_accounts) as ledger_accounts,
      (select count(*) from ledger_keys) as ledger_keys, (select count(*) from ledger_requests) as requests,
      (select count(*) from usage_records) as records, (select count(*) from changes) as changes`);
  return [rows, (await redis?.keys('*'))?.toSorted()];
}

/**
 * The embedded database runs the same SQL as PostgreSQL, as a 32-bit build with one session for all
 * connections. It can differ in concurrency, 64-bit numbers, errors raised by functions, and its
 * calendar.
 */
describe.each([...STORE_KINDS, 'pglite'] as const)('what depends on the engine, %s', (kind) => {
  let store: Store;

  beforeAll(async () => {
    store = await openStore(kind);
  });

  afterAll(async () => {
    await store.close();
  });

  beforeEach(testClock.stop);
  afterEach(testClock.start);

  it('lets exactly as many of 200 at once through as there is money for', async () => {
    const payer = await fund(store.pool, 37 * USD + 5);
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () => store.ledger.hold(holdOf(payer))),
    );
    expect(outcomes.filter(({ code }) => code === 'held')).toHaveLength(37);
    expect(outcomes.filter(({ code }) => code === 'insufficient_balance')).toHaveLength(163);
    expect(await stateOf(store, payer.account.id)).toEqual([5, 37 * USD, 0, 37]);
  });

  it('holds a request once, however often it is sent at the same time', async () => {
    const payer = await fund(store.pool, 5 * USD);
    const hold = holdOf(payer);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.ledger.hold(hold)));
    expect(outcomes.filter(({ code }) => code === 'held')).toHaveLength(1);
    expect(outcomes.filter(({ code }) => code === 'exists')).toHaveLength(19);
    expect(await stateOf(store, payer.account.id)).toEqual([4 * USD, USD, 0, 1]);
  });

  it('keeps amounts of sixteen digits exact', async () => {
    const amountNanoUsd = 9_007_199_254_740_991;
    const payer = await fund(store.pool, amountNanoUsd);
    const hold = await held(store, holdOf(payer, { amountNanoUsd: amountNanoUsd - 2 }));
    expect(await stateOf(store, payer.account.id)).toEqual([2, amountNanoUsd - 2, 0, 1]);
    expect(await store.ledger.settle(settleOf(hold, amountNanoUsd - 4))).toMatchObject(
      settledFromBalance(amountNanoUsd - 4),
    );
    expect(await stateOf(store, payer.account.id)).toEqual([4, 0, 0, 0]);
  });

  it('does not take an account that Postgres does not know', async () => {
    expect(await store.ledger.hold(holdOf(payerOf()))).toMatchObject({
      code: 'ledger_unavailable',
    });
    expect(await store.ledger.accountState(payerOf().account.id)).toBeUndefined();
  });

  it.each(['day', 'month'] as const)(
    'resets a budget at the very end of its %s',
    async (period) => {
      const payer = await fund(store.pool, 10 * USD, {
        key: { budgets: [{ period, limitNanoUsd: USD }] },
      });
      const hold = holdOf(payer);
      await store.ledger.hold(hold);
      await store.ledger.settle(settleOf(hold, USD));
      const refused = await store.ledger.hold(holdOf(payer));
      if (!('retryAfterMs' in refused)) throw new Error(refused.code);
      store.advance((refused.retryAfterMs ?? 0) - 1);
      expect((await store.ledger.hold(holdOf(payer))).code).toBe('key_budget_exceeded');
      store.advance(1);
      expect((await store.ledger.hold(holdOf(payer))).code).toBe('held');
    },
  );
});
