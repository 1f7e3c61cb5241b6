import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { partitionOf } from '../../../gateway/ledger/partition.ts';
import { held, settledFromBalance, stateOf } from './support/ask.ts';
import { fund, holdOf, settleOf, USD, withTerms } from './support/fixtures.ts';
import { MEMORY_MS, openStore, STORE_KINDS, type Store } from './support/stores.ts';
import { testClock } from './support/test-clock.ts';

describe.each(STORE_KINDS)('the end of a hold, %s', (kind) => {
  let store: Store;

  beforeAll(async () => {
    store = await openStore(kind);
  });

  afterAll(async () => {
    await store.close();
  });

  beforeEach(testClock.stop);
  afterEach(testClock.start);

  describe('settle', () => {
    it('charges the cost and gives the rest of the hold back', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = await held(store, holdOf(payer, { amountNanoUsd: 2 * USD }));
      expect(await store.ledger.settle(settleOf(hold, 700))).toEqual({
        code: 'settled',
        ...settledFromBalance(700),
      });
      expect(await stateOf(store, payer.account.id)).toEqual([5 * USD - 700, 0, 0, 0]);
    });

    it('charges once, however often it is sent', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const settle = settleOf(await held(store, holdOf(payer)), 700);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => store.ledger.settle(settle)),
      );
      expect(outcomes.filter(({ code }) => code === 'settled')).toHaveLength(1);
      expect(outcomes.filter(({ code }) => code === 'exists')).toHaveLength(9);
      for (const outcome of outcomes) expect(outcome).toMatchObject(settledFromBalance(700));
      expect(await stateOf(store, payer.account.id)).toEqual([5 * USD - 700, 0, 0, 0]);
    });

    it('takes a cost above the hold from what is available', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = await held(store, holdOf(payer));
      expect(await store.ledger.settle(settleOf(hold, 3 * USD))).toEqual({
        code: 'settled',
        ...settledFromBalance(3 * USD),
      });
      expect(await stateOf(store, payer.account.id)).toEqual([2 * USD, 0, 0, 0]);
    });

    it('never goes below zero: it says what could not be collected, also when repeated', async () => {
      const payer = await fund(store.pool, 2 * USD);
      const settle = settleOf(await held(store, holdOf(payer)), 5 * USD);
      expect(await store.ledger.settle(settle)).toEqual({
        code: 'settled',
        ...settledFromBalance(2 * USD, 3 * USD),
      });
      expect(await store.ledger.settle(settle)).toEqual({
        code: 'exists',
        ...settledFromBalance(2 * USD, 3 * USD),
      });
      expect(await stateOf(store, payer.account.id)).toEqual([0, 0, 0, 0]);
    });

    it('says the same when it is repeated after the request was put away', async () => {
      const payer = await fund(store.pool, 2 * USD);
      const whole = settleOf(await held(store, holdOf(payer)), 300);
      const short = settleOf(await held(store, holdOf(payer)), 5 * USD);
      const first = [await store.ledger.settle(whole), await store.ledger.settle(short)];
      store.advance(4 * 65_536);
      await store.ledger.expire(1_000_000);
      const again = [await store.ledger.settle(whole), await store.ledger.settle(short)];
      expect(again).toEqual(first.map((outcome) => ({ ...outcome, code: 'exists' })));
      expect(await stateOf(store, payer.account.id)).toEqual([0, 0, 0, 0]);
    });

    it('does not take what other requests hold', async () => {
      const payer = await fund(store.pool, 2 * USD);
      const hold = await held(store, holdOf(payer));
      await held(store, holdOf(payer));
      expect(await store.ledger.settle(settleOf(hold, 2 * USD))).toMatchObject(
        settledFromBalance(USD, USD),
      );
      expect(await stateOf(store, payer.account.id)).toEqual([0, USD, 0, 1]);
    });

    it('charges a request whose hold has expired, late and once', async () => {
      const payer = await fund(store.pool, 2 * USD);
      const hold = await held(store, holdOf(payer, { ttlMs: 1_000 }));
      store.advance(1_500);
      await store.ledger.expire(1_000_000);
      expect(await stateOf(store, payer.account.id)).toEqual([2 * USD, 0, 0, 0]);
      const settle = settleOf(hold, 300);
      expect(await store.ledger.settle(settle)).toEqual({
        code: 'settled_late',
        ...settledFromBalance(300),
      });
      expect(await store.ledger.settle(settle)).toEqual({
        code: 'exists',
        ...settledFromBalance(300),
      });
      expect(await stateOf(store, payer.account.id)).toEqual([2 * USD - 300, 0, 0, 0]);
    });

    it('charges a request that it has never heard of, late and once', async () => {
      const payer = await fund(store.pool, USD);
      const settle = settleOf(holdOf(payer), 3 * USD);
      expect(await store.ledger.settle(settle)).toEqual({
        code: 'settled_late',
        ...settledFromBalance(USD, 2 * USD),
      });
      expect(await store.ledger.settle(settle)).toMatchObject({ code: 'exists' });
      expect(await stateOf(store, payer.account.id)).toEqual([0, 0, 0, 0]);
    });

    it('charges nothing after a release', async () => {
      const payer = await fund(store.pool, USD);
      const hold = await held(store, holdOf(payer));
      await store.ledger.release({ requestId: hold.requestId, accountId: payer.account.id });
      expect(await store.ledger.settle(settleOf(hold, 5))).toEqual({ code: 'request_closed' });
      expect(await stateOf(store, payer.account.id)).toEqual([USD, 0, 0, 0]);
    });
  });

  describe('release', () => {
    it('gives everything back, once', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = await held(store, holdOf(payer));
      const release = { requestId: hold.requestId, accountId: payer.account.id };
      expect(await store.ledger.release(release)).toEqual({ code: 'released' });
      expect(await store.ledger.release(release)).toEqual({ code: 'exists' });
      expect(await stateOf(store, payer.account.id)).toEqual([5 * USD, 0, 0, 0]);
    });

    it('answers request_closed after a settle', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = await held(store, holdOf(payer));
      await store.ledger.settle(settleOf(hold, 5));
      expect(
        await store.ledger.release({ requestId: hold.requestId, accountId: payer.account.id }),
      ).toEqual({ code: 'request_closed' });
      expect(await stateOf(store, payer.account.id)).toEqual([5 * USD - 5, 0, 0, 0]);
    });

    it('keeps a hold that comes after it from being made', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = holdOf(payer);
      const release = { requestId: hold.requestId, accountId: payer.account.id };
      expect(await store.ledger.release(release)).toEqual({ code: 'hold_not_found' });
      expect(await store.ledger.hold(hold)).toMatchObject({ code: 'request_closed' });
      expect(await stateOf(store, payer.account.id)).toEqual([5 * USD, 0, 0, 0]);
    });

    it('closes an expired request for good', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = await held(store, holdOf(payer, { ttlMs: 1_000 }));
      store.advance(1_500);
      await store.ledger.expire(1_000_000);
      const release = { requestId: hold.requestId, accountId: payer.account.id };
      expect(await store.ledger.release(release)).toEqual({ code: 'released' });
      expect(await store.ledger.settle(settleOf(hold, 5))).toEqual({ code: 'request_closed' });
    });
  });

  it('is for nobody but whose hold it is', async () => {
    const payer = await fund(store.pool, 5 * USD);
    const hold = await held(store, holdOf(payer));
    // The account determines where Redis looks for the hold.
    let id: string = randomUUID();
    while (partitionOf(id) !== partitionOf(payer.account.id)) id = randomUUID();
    const other = await fund(store.pool, USD, { account: { id } });
    const refused = { code: 'ledger_unavailable' };
    const release = { requestId: hold.requestId, accountId: id };
    expect(await store.ledger.release(release)).toMatchObject(refused);
    for (const stranger of [other, withTerms(payer, { key: { id: randomUUID() } })]) {
      const settle = { ...settleOf(hold, 5), payer: stranger };
      expect(await store.ledger.settle(settle)).toMatchObject(refused);
    }
    expect(await stateOf(store, payer.account.id)).toEqual([4 * USD, USD, 0, 1]);
    expect(await stateOf(store, id)).toEqual([USD, 0, 0, 0]);
  });

  describe('a request older than the memory', () => {
    it('counts as closed, whatever became of it', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const never = holdOf(payer);
      store.advance(MEMORY_MS + 2 * 65_536);
      expect(await store.ledger.settle(settleOf(never, 7))).toEqual({ code: 'request_closed' });
      expect(await store.ledger.hold(never)).toMatchObject({ code: 'request_closed' });
      expect(
        await store.ledger.release({ requestId: never.requestId, accountId: payer.account.id }),
      ).toEqual({ code: 'exists' });
      expect(await stateOf(store, payer.account.id)).toEqual([5 * USD, 0, 0, 0]);
    });

    it('can still be settled while it is open', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = await held(store, holdOf(payer, { ttlMs: 3 * MEMORY_MS }));
      store.advance(MEMORY_MS + 2 * 65_536);
      await store.ledger.expire(1_000_000);
      expect(await store.ledger.settle(settleOf(hold, 7))).toMatchObject({ code: 'settled' });
      expect(await stateOf(store, payer.account.id)).toEqual([5 * USD - 7, 0, 0, 0]);
    });
  });

  describe('expire', () => {
    it('closes what has passed its time and nothing else', async () => {
      const payer = await fund(store.pool, 10 * USD);
      for (let count = 0; count < 3; count += 1) await held(store, holdOf(payer, { ttlMs: 1_000 }));
      await held(store, holdOf(payer, { ttlMs: 500_000 }));
      expect(await store.ledger.expire(1_000_000)).toBe(0);
      store.advance(1_500);
      expect(await store.ledger.expire(1_000_000)).toBe(3);
      expect(await store.ledger.expire(1_000_000)).toBe(0);
      expect(await stateOf(store, payer.account.id)).toEqual([9 * USD, USD, 0, 1]);
    });

    it('leaves the rest for the next call when there is more than its limit', async () => {
      const payer = await fund(store.pool, 10 * USD);
      for (let count = 0; count < 5; count += 1) await held(store, holdOf(payer, { ttlMs: 1_000 }));
      store.advance(1_500);
      let closed = 0;
      for (let call = 0; call < 200 && closed < 5; call += 1)
        closed += await store.ledger.expire(2);
      expect(closed).toBe(5);
      expect(await stateOf(store, payer.account.id)).toEqual([10 * USD, 0, 0, 0]);
    });
  });
});
