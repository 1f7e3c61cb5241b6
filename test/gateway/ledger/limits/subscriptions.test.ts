import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Payer, SubscriptionTerms } from '../../../../gateway/ledger/ledger.ts';
import { openStore, STORE_KINDS, type Store } from '../support/stores.ts';
import { payerOf } from '../../../support/ledger/payer.ts';
import {
  extendOf,
  fund,
  holdOf,
  settleOf,
  subscriptionOf,
  USD,
  withTerms,
} from '../support/fixtures.ts';
import { testClock } from '../support/test-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe.each(STORE_KINDS)('subscriptions in the ledger, %s', (kind) => {
  let store: Store;

  beforeAll(async () => {
    store = await openStore(kind);
  });

  afterAll(async () => {
    await store.close();
  });

  beforeEach(testClock.stop);
  afterEach(testClock.start);

  const hold = async (payer: Payer, amountNanoUsd: number, overrides = {}) => {
    const request = holdOf(payer, { amountNanoUsd, ...overrides });
    return { request, outcome: await store.ledger.hold(request) };
  };

  const spend = async (payer: Payer, amountNanoUsd: number) => {
    const { request, outcome } = await hold(payer, amountNanoUsd);
    if (outcome.code !== 'held') return outcome;
    return store.ledger.settle(settleOf(request, amountNanoUsd));
  };

  const balanceOf = async (payer: Payer) => {
    const state = await store.ledger.accountState(payer.account.id);
    return [state?.availableNanoUsd, state?.heldNanoUsd];
  };

  const subscribed = (
    balanceNanoUsd: number,
    subscriptions: readonly SubscriptionTerms[],
    preference: 'subscription_first' | 'balance_first' = 'subscription_first',
  ) => fund(store.pool, balanceNanoUsd, { subscriptions, account: { preference } });

  it('pays before the balance', async () => {
    const payer = await subscribed(5 * USD, [
      subscriptionOf([{ window: 'day', limitNanoUsd: 2 * USD }]),
    ]);
    expect(await spend(payer, USD)).toMatchObject({
      code: 'settled',
      balanceNanoUsd: 0,
      subscriptionNanoUsd: USD,
    });
    expect(await balanceOf(payer)).toEqual([5 * USD, 0]);
  });

  it('pays after the balance when the account prefers that', async () => {
    const payer = await subscribed(
      USD,
      [subscriptionOf([{ window: 'day', limitNanoUsd: 2 * USD }])],
      'balance_first',
    );
    const { request, outcome } = await hold(payer, 2 * USD);
    expect(outcome).toEqual({ code: 'held', heldNanoUsd: 2 * USD });
    expect(await balanceOf(payer)).toEqual([0, USD]);
    expect(await store.ledger.settle(settleOf(request, 1.5 * USD))).toEqual({
      code: 'settled',
      balanceNanoUsd: USD,
      subscriptionNanoUsd: USD / 2,
      uncollectedNanoUsd: 0,
    });
  });

  it('shares a request with the balance and gives back what was not used', async () => {
    const payer = await subscribed(5 * USD, [
      subscriptionOf([{ window: 'day', limitNanoUsd: 2 * USD }]),
    ]);
    const { request } = await hold(payer, 3 * USD);
    expect(await balanceOf(payer)).toEqual([4 * USD, USD]);
    expect((await hold(payer, 5 * USD)).outcome).toMatchObject({
      code: 'insufficient_balance',
      affordableNanoUsd: 4 * USD,
    });
    expect(await store.ledger.settle(settleOf(request, 0.5 * USD))).toMatchObject({
      balanceNanoUsd: 0,
      subscriptionNanoUsd: 0.5 * USD,
    });
    expect(await balanceOf(payer)).toEqual([5 * USD, 0]);
    expect((await hold(payer, 6.5 * USD)).outcome.code).toBe('held');
  });

  // Runs before the tests that move the clock far: the first sweep after that visits all the time
  // between.
  it('gives its part back on release and expiry', async () => {
    const payer = await subscribed(0, [subscriptionOf([{ window: 'day', limitNanoUsd: USD }])]);
    const { request } = await hold(payer, USD);
    expect((await hold(payer, 1)).outcome.code).toBe('insufficient_balance');
    await store.ledger.release({ requestId: request.requestId, accountId: payer.account.id });
    expect((await hold(payer, USD, { ttlMs: 1_000 })).outcome.code).toBe('held');
    store.advance(1_500);
    await store.ledger.expire(1_000_000);
    expect((await hold(payer, USD)).outcome.code).toBe('held');
  });

  it('has the least that its windows leave', async () => {
    const payer = await subscribed(0, [
      subscriptionOf([
        { window: '5h', limitNanoUsd: 3 * USD },
        { window: 'week', limitNanoUsd: 5 * USD },
      ]),
    ]);
    expect((await hold(payer, 4 * USD)).outcome).toMatchObject({
      code: 'insufficient_balance',
      affordableNanoUsd: 3 * USD,
    });
    expect(await spend(payer, 3 * USD)).toMatchObject({ code: 'settled' });
    store.advance(5 * HOUR_MS);
    expect((await hold(payer, 3 * USD)).outcome).toMatchObject({
      code: 'insufficient_balance',
      affordableNanoUsd: 2 * USD,
    });
  });

  it.each([
    ['5h', 5 * HOUR_MS],
    ['day', DAY_MS],
    ['week', 7 * DAY_MS],
    ['month', 31 * DAY_MS],
  ] as const)('resets with each window, %s, and says when', async (window, lengthMs) => {
    const payer = await subscribed(0, [subscriptionOf([{ window, limitNanoUsd: USD }])]);
    await spend(payer, USD);
    const { outcome } = await hold(payer, USD);
    expect(outcome).toMatchObject({ code: 'insufficient_balance', affordableNanoUsd: 0 });
    if (!('retryAfterMs' in outcome) || outcome.retryAfterMs === null) throw new Error('no time');
    expect(outcome.retryAfterMs).toBeLessThanOrEqual(lengthMs);
    store.advance(outcome.retryAfterMs - 1);
    expect((await hold(payer, USD)).outcome.code).toBe('insufficient_balance');
    store.advance(1);
    expect((await hold(payer, USD)).outcome.code).toBe('held');
  });

  it('has the least of several allowances of a window', async () => {
    for (const limits of [
      [5, 3],
      [3, 5],
    ]) {
      const subscription = subscriptionOf(
        limits.map((limitNanoUsd) => ({ window: 'day', limitNanoUsd })),
      );
      const payer = await fund(store.pool, 10, { subscriptions: [subscription] });
      expect(await spend(payer, 8)).toMatchObject({ subscriptionNanoUsd: 3, balanceNanoUsd: 5 });
    }
  });

  it('counts windows from its own start', async () => {
    const startedAtMs = testClock.nowMs() - 4 * HOUR_MS;
    const payer = await subscribed(0, [
      subscriptionOf([{ window: '5h', limitNanoUsd: USD }], { startedAtMs }),
    ]);
    await spend(payer, USD);
    store.advance(70 * 60_000);
    expect((await hold(payer, USD)).outcome.code).toBe('held');
  });

  it('pays for nothing before its start, from its end on and without allowances', async () => {
    const now = testClock.nowMs();
    for (const subscription of [
      subscriptionOf([{ window: 'day', limitNanoUsd: USD }], { endsAtMs: now }),
      subscriptionOf([{ window: 'day', limitNanoUsd: USD }], { startedAtMs: now + 9 * DAY_MS }),
      subscriptionOf([]),
    ]) {
      const payer = await subscribed(0, [subscription]);
      expect((await hold(payer, USD)).outcome).toMatchObject({
        code: 'insufficient_balance',
        affordableNanoUsd: 0,
        retryAfterMs: null,
      });
    }
  });

  it('draws on several in their order', async () => {
    const subscriptions = [
      subscriptionOf([{ window: 'day', limitNanoUsd: USD }]),
      subscriptionOf([{ window: 'month', limitNanoUsd: 2 * USD }]),
    ];
    const payer = await subscribed(USD, subscriptions);
    expect(await spend(payer, 3.5 * USD)).toMatchObject({
      balanceNanoUsd: 0.5 * USD,
      subscriptionNanoUsd: 3 * USD,
    });
  });

  it('takes part in extensions and in costs above the hold', async () => {
    const payer = await subscribed(USD, [
      subscriptionOf([{ window: 'day', limitNanoUsd: 3 * USD }]),
    ]);
    const { request } = await hold(payer, USD);
    expect(await store.ledger.extend(extendOf(request))).toEqual({
      code: 'extended',
      heldNanoUsd: 2 * USD,
    });
    expect(await store.ledger.settle(settleOf(request, 5 * USD))).toEqual({
      code: 'settled',
      balanceNanoUsd: USD,
      subscriptionNanoUsd: 3 * USD,
      uncollectedNanoUsd: USD,
    });
    expect(await balanceOf(payer)).toEqual([0, 0]);
  });

  it('counts in the key’s budget what an extension holds of it', async () => {
    const payer = await fund(store.pool, 0, {
      subscriptions: [subscriptionOf([{ window: 'day', limitNanoUsd: 10 * USD }])],
      key: { budgets: [{ period: 'total', limitNanoUsd: 3 * USD }] },
    });
    const { request } = await hold(payer, USD);
    expect(await store.ledger.extend(extendOf(request))).toMatchObject({ code: 'extended' });
    expect((await hold(payer, 1.5 * USD)).outcome).toMatchObject({
      code: 'key_budget_exceeded',
      affordableNanoUsd: USD,
    });
    await store.ledger.settle(settleOf(request, USD));
    expect((await hold(payer, 2.5 * USD)).outcome).toMatchObject({ affordableNanoUsd: 2 * USD });
    expect((await hold(payer, 2 * USD)).outcome.code).toBe('held');
  });

  it('repeats its answer exactly', async () => {
    const payer = await subscribed(USD, [subscriptionOf([{ window: 'day', limitNanoUsd: USD }])]);
    for (const cost of [USD, 1.5 * USD]) {
      const { request } = await hold(payer, USD);
      const settle = settleOf(request, cost);
      const first = await store.ledger.settle(settle);
      expect(await store.ledger.settle(settle)).toEqual({ ...first, code: 'exists' });
    }
  });

  it('settles what it holds even after the plan has gone from the payer', async () => {
    const payer = await subscribed(0, [subscriptionOf([{ window: 'day', limitNanoUsd: USD }])]);
    const { request } = await hold(payer, USD);
    const ended = withTerms(payer, { subscriptions: [] });
    expect(await store.ledger.settle({ ...settleOf(request, USD), payer: ended })).toMatchObject({
      code: 'settled',
      subscriptionNanoUsd: USD,
    });
  });

  it.each(['total', 'day', 'month'] as const)(
    'counts toward the key’s budgets, %s',
    async (period) => {
      const payer = await fund(store.pool, USD, {
        subscriptions: [subscriptionOf([{ window: 'day', limitNanoUsd: 10 * USD }])],
        key: { budgets: [{ period, limitNanoUsd: 2 * USD }] },
      });
      await spend(payer, 1.5 * USD);
      expect((await hold(payer, USD)).outcome).toMatchObject({
        code: 'key_budget_exceeded',
        affordableNanoUsd: USD / 2,
      });
      expect(payerOf().subscriptions).toEqual([]);
    },
  );
});
