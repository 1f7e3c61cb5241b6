import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HoldRefusal, Payer } from '../../../../gateway/ledger/ledger.ts';
import { openStore, STORE_KINDS, type Store } from '../support/stores.ts';
import type { PayerOverrides } from '../../../support/ledger/payer.ts';
import { extendOf, fund, holdOf, settleOf, USD, withTerms } from '../support/fixtures.ts';
import { testClock } from '../support/test-clock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe.each(STORE_KINDS)('limits of the ledger, %s', (kind) => {
  let store: Store;

  beforeAll(async () => {
    store = await openStore(kind);
  });

  afterAll(async () => {
    await store.close();
  });

  beforeEach(testClock.stop);
  afterEach(testClock.start);

  const code = async (payer: Payer, overrides = {}) =>
    (await store.ledger.hold(holdOf(payer, overrides))).code;

  describe('status', () => {
    it.each<[HoldRefusal, PayerOverrides]>([
      ['account_suspended', { account: { status: 'suspended' }, key: { status: 'disabled' } }],
      ['key_disabled', { key: { status: 'disabled', expiresAtMs: 1 } }],
      ['key_disabled', { key: { status: 'deleted' } }],
      ['key_expired', { key: { expiresAtMs: 1 } }],
    ])('answers %s before anything that needs money', async (refusal, overrides) => {
      const payer = await fund(store.pool, 0, overrides);
      expect(await store.ledger.hold(holdOf(payer))).toEqual({
        code: refusal,
        retryAfterMs: null,
        affordableNanoUsd: 0,
      });
    });

    it('lets a key be used until it expires', async () => {
      const payer = await fund(store.pool, 2 * USD, {
        key: { expiresAtMs: testClock.nowMs() + MINUTE_MS },
      });
      expect(await code(payer)).toBe('held');
      store.advance(MINUTE_MS - 1);
      expect(await code(payer)).toBe('held');
      store.advance(1);
      expect(await code(payer)).toBe('key_expired');
    });
  });

  // Runs before the tests that move the clock by a month: the first sweep after that visits all the
  // time between.
  describe('concurrency', () => {
    it('counts holds that are open, per key and per account', async () => {
      const payer = await fund(store.pool, 100 * USD, {
        account: { concurrencyMax: 3 },
        key: { concurrencyMax: 2 },
      });
      const other = withTerms(payer, { key: { id: (await fund(store.pool, 0)).key.id } });
      const hold = holdOf(payer);
      expect((await store.ledger.hold(hold)).code).toBe('held');
      expect(await code(payer)).toBe('held');
      expect(await code(payer)).toBe('key_concurrency_exceeded');
      expect(await code(other)).toBe('held');
      expect(await code(other)).toBe('account_concurrency_exceeded');
      expect((await store.ledger.hold(hold)).code).toBe('exists');
      await store.ledger.settle(settleOf(hold, 1));
      expect(await code(payer)).toBe('held');
    });

    it('gives the place back when a hold is released or expires', async () => {
      const payer = await fund(store.pool, 100 * USD, { key: { concurrencyMax: 1 } });
      const hold = holdOf(payer);
      await store.ledger.hold(hold);
      await store.ledger.release({ requestId: hold.requestId, accountId: payer.account.id });
      expect(await code(payer, { ttlMs: 1_000 })).toBe('held');
      expect(await code(payer)).toBe('key_concurrency_exceeded');
      store.advance(1_500);
      await store.ledger.expire(1_000_000);
      expect(await code(payer)).toBe('held');
    });
  });

  describe('budgets of a key', () => {
    it.each(['total', 'day', 'month'] as const)(
      'counts what is held and spent, %s',
      async (period) => {
        const payer = await fund(store.pool, 100 * USD, {
          key: { budgets: [{ period, limitNanoUsd: 3 * USD }] },
        });
        const hold = holdOf(payer, { amountNanoUsd: 2 * USD });
        await store.ledger.hold(hold);
        expect(await store.ledger.hold(holdOf(payer, { amountNanoUsd: 2 * USD }))).toMatchObject({
          code: 'key_budget_exceeded',
          affordableNanoUsd: USD,
        });
        await store.ledger.settle(settleOf(hold, USD / 2));
        expect(await code(payer, { amountNanoUsd: 2.5 * USD })).toBe('held');
        expect(await code(payer, { amountNanoUsd: 1 })).toBe('key_budget_exceeded');
      },
    );

    it.each(['total', 'day', 'month'] as const)(
      'of nothing lets nothing be spent, %s',
      async (period) => {
        const payer = await fund(store.pool, USD, {
          key: { budgets: [{ period, limitNanoUsd: 0 }] },
        });
        expect(await code(payer, { amountNanoUsd: 1 })).toBe('key_budget_exceeded');
      },
    );

    it('holds what the budget leaves when that is at least the minimum', async () => {
      const payer = await fund(store.pool, 100 * USD, {
        key: { budgets: [{ period: 'day', limitNanoUsd: 3 * USD }] },
      });
      const hold = holdOf(payer, { amountNanoUsd: 5 * USD, minimumNanoUsd: 1 });
      expect(await store.ledger.hold(hold)).toEqual({ code: 'held', heldNanoUsd: 3 * USD });
    });

    it('says when a budget resets, and that a total one never does', async () => {
      const day = await fund(store.pool, 100 * USD, {
        key: { budgets: [{ period: 'day', limitNanoUsd: USD }] },
      });
      await store.ledger.hold(holdOf(day));
      const refused = await store.ledger.hold(holdOf(day));
      if (!('retryAfterMs' in refused)) throw new Error(refused.code);
      expect(refused.retryAfterMs).toBeGreaterThan(0);
      expect(refused.retryAfterMs).toBeLessThanOrEqual(DAY_MS);
      const total = withTerms(day, { key: { budgets: [{ period: 'total', limitNanoUsd: USD }] } });
      expect(await store.ledger.hold(holdOf(total))).toMatchObject({ retryAfterMs: null });
    });

    it('resets days and months, totals never', async () => {
      const payer = await fund(store.pool, 100 * USD);
      const limited = (period: 'total' | 'day' | 'month') =>
        withTerms(payer, { key: { budgets: [{ period, limitNanoUsd: USD }] } });
      const hold = holdOf(payer);
      await store.ledger.hold(hold);
      await store.ledger.settle(settleOf(hold, USD));
      for (const period of ['total', 'day', 'month'] as const) {
        expect(await code(limited(period))).toBe('key_budget_exceeded');
      }
      store.advance(DAY_MS);
      expect(await code(limited('total'))).toBe('key_budget_exceeded');
      expect(await code(limited('day'), { amountNanoUsd: 1 })).toBe('held');
      store.advance(31 * DAY_MS);
      expect(await code(limited('month'), { amountNanoUsd: 1 })).toBe('held');
      expect(await code(limited('total'))).toBe('key_budget_exceeded');
    });

    it('that is changed while requests are in flight counts them', async () => {
      const payer = await fund(store.pool, 100 * USD, {
        key: { budgets: [{ period: 'total', limitNanoUsd: 10 * USD }] },
      });
      const hold = holdOf(payer, { amountNanoUsd: 2 * USD });
      await store.ledger.hold(hold);
      const lowered = withTerms(payer, {
        key: { budgets: [{ period: 'total', limitNanoUsd: 3 * USD }] },
      });
      expect(await code(lowered, { amountNanoUsd: 2 * USD })).toBe('key_budget_exceeded');
      await store.ledger.settle(settleOf(hold, USD));
      expect(await store.ledger.hold(holdOf(lowered, { amountNanoUsd: 5 * USD }))).toMatchObject({
        affordableNanoUsd: 2 * USD,
      });
      expect(await code(lowered, { amountNanoUsd: 2 * USD })).toBe('held');
    });

    it('applies to extensions', async () => {
      const payer = await fund(store.pool, 100 * USD, {
        key: { budgets: [{ period: 'month', limitNanoUsd: 3 * USD }] },
      });
      const hold = holdOf(payer, { amountNanoUsd: 2 * USD });
      await store.ledger.hold(hold);
      expect(await store.ledger.extend(extendOf(hold, { amountNanoUsd: 2 * USD }))).toEqual({
        code: 'key_budget_exceeded',
        affordableNanoUsd: USD,
      });
      const any = extendOf(hold, { amountNanoUsd: 2 * USD, minimumNanoUsd: 1 });
      expect(await store.ledger.extend(any)).toEqual({ code: 'extended', heldNanoUsd: 3 * USD });
    });
  });

  describe.each([
    ['key', 'key_rpm_exceeded', 'key_tpm_exceeded'],
    ['group', 'group_rpm_exceeded', 'group_tpm_exceeded'],
  ] as const)('rates of a %s', (who, rpmExceeded, tpmExceeded) => {
    it('lets a minute of requests through at once and says when the next fits', async () => {
      const payer = await fund(store.pool, 100 * USD, { [who]: { rpm: 6 } });
      for (let count = 0; count < 6; count += 1) expect(await code(payer)).toBe('held');
      const refused = await store.ledger.hold(holdOf(payer));
      expect(refused).toMatchObject({ code: rpmExceeded });
      if (!('retryAfterMs' in refused)) throw new Error(refused.code);
      const { retryAfterMs } = refused;
      expect(retryAfterMs).toBe(10_000);
      store.advance(9_999);
      expect(await code(payer)).toBe(rpmExceeded);
      store.advance(1);
      expect(await code(payer)).toBe('held');
      expect(await code(payer)).toBe(rpmExceeded);
      store.advance(MINUTE_MS);
      for (let count = 0; count < 6; count += 1) expect(await code(payer)).toBe('held');
    });

    it.each([7, 13, 59])('lets exactly %i at once through', async (rpm) => {
      const payer = await fund(store.pool, 100 * USD, { [who]: { rpm } });
      const codes = await Promise.all(Array.from({ length: rpm + 5 }, () => code(payer)));
      expect(codes.filter((found) => found === 'held')).toHaveLength(rpm);
    });

    it('counts tokens as they were estimated, and then as they were used', async () => {
      const payer = await fund(store.pool, 100 * USD, { [who]: { tpm: 1_000 } });
      const hold = holdOf(payer, { tokens: 900 });
      await store.ledger.hold(hold);
      expect(await code(payer, { tokens: 200 })).toBe(tpmExceeded);
      await store.ledger.settle(settleOf(hold, 1, { tokens: 100 }));
      expect(await code(payer, { tokens: 850 })).toBe('held');
      expect(await code(payer, { tokens: 200 })).toBe(tpmExceeded);
    });

    it('counts more tokens than estimated against the next requests', async () => {
      const payer = await fund(store.pool, 100 * USD, { [who]: { tpm: 1_000 } });
      const hold = holdOf(payer, { tokens: 100 });
      await store.ledger.hold(hold);
      await store.ledger.settle(settleOf(hold, 1, { tokens: 2_000 }));
      expect(await store.ledger.hold(holdOf(payer, { tokens: 500 }))).toMatchObject({
        code: tpmExceeded,
      });
      store.advance(91_000);
      expect(await code(payer, { tokens: 500 })).toBe('held');
    });

    it.each([
      { before: { rpm: 60 }, after: { rpm: 3 }, count: 60, tokens: 0 },
      { before: { tpm: 100_000 }, after: { tpm: 1_000 }, count: 1, tokens: 100_000 },
    ])(
      'that are lowered let the next through within a minute, from $before to $after',
      async ({ before, after, count, tokens }) => {
        const payer = await fund(store.pool, 100 * USD, { [who]: before });
        for (let index = 0; index < count; index += 1) {
          expect(await code(payer, { tokens })).toBe('held');
        }
        const lowered = withTerms(payer, { [who]: after });
        const next = { tokens: Math.min(tokens, 1_000) };
        const refused = await store.ledger.hold(holdOf(lowered, next));
        if (!('retryAfterMs' in refused)) throw new Error(refused.code);
        expect(refused.retryAfterMs).toBeGreaterThan(0);
        expect(refused.retryAfterMs).toBeLessThanOrEqual(MINUTE_MS);
        store.advance(refused.retryAfterMs ?? 0);
        expect(await code(lowered, next)).toBe('held');
        expect((await store.ledger.hold(holdOf(lowered, next))).code).toMatch(/_exceeded$/);
      },
    );

    it('that are lowered while a request is in flight wait a minute at most for what it used', async () => {
      const payer = await fund(store.pool, 100 * USD, { [who]: { tpm: 100_000 } });
      const hold = holdOf(payer, { tokens: 1_000 });
      await store.ledger.hold(hold);
      const lowered = withTerms(payer, { [who]: { tpm: 1_000 } });
      expect(await code(lowered, { tokens: 1 })).toBe(tpmExceeded);
      await store.ledger.settle({ ...settleOf(hold, 1, { tokens: 90_000 }), payer: lowered });
      expect(await code(lowered, { tokens: 1 })).toBe(tpmExceeded);
      store.advance(MINUTE_MS);
      expect(await code(lowered, { tokens: 1_000 })).toBe('held');
    });

    it('that are lowered between two requests wait a minute at most, whichever ends last', async () => {
      const payer = await fund(store.pool, 100 * USD, { [who]: { tpm: 100_000 } });
      const before = holdOf(payer, { tokens: 500 });
      await store.ledger.hold(before);
      const lowered = withTerms(payer, { [who]: { tpm: 1_000 } });
      const after = holdOf(lowered, { tokens: 300 });
      expect((await store.ledger.hold(after)).code).toBe('held');
      await store.ledger.settle({ ...settleOf(before, 1, { tokens: 90_000 }), payer: lowered });
      await store.ledger.settle(settleOf(after, 1, { tokens: 300 }));
      store.advance(MINUTE_MS);
      expect(await code(lowered, { tokens: 1_000 })).toBe('held');
    });

    it('gives tokens back on release', async () => {
      const payer = await fund(store.pool, 100 * USD, { [who]: { tpm: 1_000 } });
      const hold = holdOf(payer, { tokens: 1_000 });
      await store.ledger.hold(hold);
      await store.ledger.release({ requestId: hold.requestId, accountId: payer.account.id });
      expect(await code(payer, { tokens: 900 })).toBe('held');
    });

    it.each([5_200_000, 2_147_483_647])('takes %i a minute for a limit', async (limit) => {
      const payer = await fund(store.pool, 100 * USD, { [who]: { rpm: limit, tpm: limit } });
      const hold = holdOf(payer, { tokens: limit });
      expect((await store.ledger.hold(hold)).code).toBe('held');
      expect(await store.ledger.hold(holdOf(payer, { tokens: limit }))).toMatchObject({
        code: tpmExceeded,
      });
      await store.ledger.settle(settleOf(hold, 1, { tokens: Math.floor(limit / 2) }));
      store.advance(MINUTE_MS / 4);
      expect(await code(payer, { tokens: Math.floor(limit * 0.7) })).toBe('held');
      expect(await code(payer, { tokens: Math.floor(limit * 0.4) })).toBe(tpmExceeded);
    });

    it('knows that more tokens than a minute has never fit', async () => {
      const payer = await fund(store.pool, 100 * USD, { [who]: { tpm: 1_000 } });
      expect(await store.ledger.hold(holdOf(payer, { tokens: 1_001 }))).toMatchObject({
        code: tpmExceeded,
        retryAfterMs: null,
      });
      expect(await code(payer, { tokens: 1_000 })).toBe('held');
    });

    it('consumes nothing by a refusal, of its own or another limit', async () => {
      const payer = await fund(store.pool, USD, { [who]: { rpm: 2, tpm: 1_000 } });
      for (let count = 0; count < 5; count += 1) {
        expect(await code(payer, { amountNanoUsd: 2 * USD })).toBe('insufficient_balance');
        expect(await code(payer, { amountNanoUsd: 1, tokens: 5_000 })).toBe(tpmExceeded);
      }
      expect(await code(payer, { amountNanoUsd: 1, tokens: 500 })).toBe('held');
      expect(await code(payer, { amountNanoUsd: 1, tokens: 500 })).toBe('held');
    });
  });

  it('counts a group’s rates per account', async () => {
    const group = { rpm: 1, id: (await fund(store.pool, 0)).group.id };
    const first = await fund(store.pool, 100 * USD, { group });
    const second = await fund(store.pool, 100 * USD, { group });
    expect(await code(first)).toBe('held');
    expect(await code(first)).toBe('group_rpm_exceeded');
    expect(await code(second)).toBe('held');
  });

  it('decides in the documented order', async () => {
    const payer = await fund(store.pool, 10 * USD);
    await store.ledger.hold(holdOf(payer, { amountNanoUsd: 9 * USD, tokens: 0 }));
    const first = holdOf(
      withTerms(payer, { key: { rpm: 1, tpm: 10 }, group: { rpm: 1, tpm: 10 } }),
      {
        amountNanoUsd: 1,
        tokens: 10,
      },
    );
    expect((await store.ledger.hold(first)).code).toBe('held');
    // All limits are exceeded at first; then one after the other is removed.
    let terms: PayerOverrides = {
      account: { concurrencyMax: 1 },
      key: { budgets: [{ period: 'total', limitNanoUsd: 1 }], concurrencyMax: 1, rpm: 1, tpm: 10 },
      group: { rpm: 1, tpm: 10 },
    };
    const lifted: [HoldRefusal, PayerOverrides][] = [
      ['key_budget_exceeded', { key: { budgets: [] } }],
      ['key_concurrency_exceeded', { key: { concurrencyMax: null } }],
      ['account_concurrency_exceeded', { account: { concurrencyMax: null } }],
      ['key_rpm_exceeded', { key: { rpm: null } }],
      ['key_tpm_exceeded', { key: { tpm: null } }],
      ['group_rpm_exceeded', { group: { rpm: null } }],
      ['group_tpm_exceeded', { group: { tpm: null } }],
    ];
    for (const [refusal, lift] of lifted) {
      const limited = withTerms(payer, terms);
      expect(await code(limited, { amountNanoUsd: 9 * USD, tokens: 10 })).toBe(refusal);
      terms = {
        account: { ...terms.account, ...lift.account },
        key: { ...terms.key, ...lift.key },
        group: { ...terms.group, ...lift.group },
      };
    }
    expect(await code(withTerms(payer, terms), { amountNanoUsd: 9 * USD })).toBe(
      'insufficient_balance',
    );
  });
});
