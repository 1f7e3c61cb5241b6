import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { held, stateOf } from './support/ask.ts';
import { addCredit, fund, holdOf, settleOf, USD } from './support/fixtures.ts';
import { openStore, STORE_KINDS, type Store } from './support/stores.ts';

describe.each(STORE_KINDS)('credits in the ledger, %s', (kind) => {
  let store: Store;

  beforeAll(async () => {
    store = await openStore(kind);
  });

  afterAll(async () => {
    await store.close();
  });

  describe('credit', () => {
    it('adds money, each entry once', async () => {
      const payer = await fund(store.pool, USD);
      await stateOf(store, payer.account.id);
      const entry = await addCredit(store.pool, payer.account.id, 2 * USD);
      expect(await store.ledger.credit(entry)).toEqual({ code: 'credited', sequence: 2 });
      expect(await store.ledger.credit(entry)).toEqual({ code: 'exists', sequence: 2 });
      expect(await stateOf(store, payer.account.id)).toEqual([3 * USD, 0, 0, 0]);
    });

    it('refuses an entry before the one it follows, and says which it has', async () => {
      const payer = await fund(store.pool, USD);
      await stateOf(store, payer.account.id);
      const second = await addCredit(store.pool, payer.account.id, 2 * USD);
      const third = await addCredit(store.pool, payer.account.id, 3 * USD);
      expect(await store.ledger.credit(third)).toEqual({ code: 'out_of_order', sequence: 1 });
      expect(await store.ledger.credit(second)).toEqual({ code: 'credited', sequence: 2 });
      expect(await store.ledger.credit(third)).toEqual({ code: 'credited', sequence: 3 });
      expect(await stateOf(store, payer.account.id)).toEqual([6 * USD, 0, 0, 0]);
    });

    it('leaves an account that is not loaded to its load', async () => {
      const payer = await fund(store.pool, USD);
      const entry = await addCredit(store.pool, payer.account.id, 2 * USD);
      expect(await store.ledger.credit(entry)).toMatchObject({ code: 'not_loaded' });
      expect(await stateOf(store, payer.account.id)).toEqual([3 * USD, 0, 0, 0]);
      expect(await store.ledger.credit(entry)).toEqual({ code: 'exists', sequence: 2 });
    });

    it('takes money away and remembers what there was not', async () => {
      const payer = await fund(store.pool, 3 * USD);
      const hold = await held(store, holdOf(payer, { amountNanoUsd: 2 * USD }));
      const taken = await addCredit(store.pool, payer.account.id, -2 * USD);
      await store.ledger.credit(taken);
      expect(await stateOf(store, payer.account.id)).toEqual([0, 2 * USD, USD, 1]);
      // Returned money pays what is owed first.
      await store.ledger.settle(settleOf(hold, USD / 2));
      expect(await stateOf(store, payer.account.id)).toEqual([USD / 2, 0, 0, 0]);
    });

    it('lets a top-up pay what is owed first', async () => {
      const payer = await fund(store.pool, USD);
      await stateOf(store, payer.account.id);
      await store.ledger.credit(await addCredit(store.pool, payer.account.id, -4 * USD));
      expect(await stateOf(store, payer.account.id)).toEqual([0, 0, 3 * USD, 0]);
      expect(await store.ledger.hold(holdOf(payer))).toMatchObject({
        code: 'insufficient_balance',
      });
      await store.ledger.credit(await addCredit(store.pool, payer.account.id, 5 * USD));
      expect(await stateOf(store, payer.account.id)).toEqual([2 * USD, 0, 0, 0]);
    });

    it('loads an account whose book is below zero as owing', async () => {
      const payer = await fund(store.pool, -2 * USD);
      expect(await stateOf(store, payer.account.id)).toEqual([0, 0, 2 * USD, 0]);
    });

    it('takes the place of a hold in one step', async () => {
      const payer = await fund(store.pool, 3 * USD);
      const { requestId } = await held(store, holdOf(payer, { amountNanoUsd: 2 * USD }));
      const entry = await addCredit(store.pool, payer.account.id, -2 * USD, requestId);
      expect(await store.ledger.credit(entry)).toMatchObject({ code: 'credited' });
      expect(await stateOf(store, payer.account.id)).toEqual([USD, 0, 0, 0]);
      const release = { requestId, accountId: payer.account.id };
      expect(await store.ledger.release(release)).toEqual({ code: 'exists' });
      expect(await store.ledger.credit(entry)).toMatchObject({ code: 'exists' });
      expect(await stateOf(store, payer.account.id)).toEqual([USD, 0, 0, 0]);
    });

    it('closes the hold whose place it takes, though it comes first', async () => {
      const payer = await fund(store.pool, 3 * USD);
      await stateOf(store, payer.account.id);
      const late = holdOf(payer, { amountNanoUsd: USD });
      await store.ledger.credit(
        await addCredit(store.pool, payer.account.id, -USD, late.requestId),
      );
      expect(await store.ledger.hold(late)).toMatchObject({ code: 'request_closed' });
      expect(await stateOf(store, payer.account.id)).toEqual([2 * USD, 0, 0, 0]);
    });

    it('gives nothing back of a request that was settled', async () => {
      const payer = await fund(store.pool, 3 * USD);
      const hold = await held(store, holdOf(payer, { amountNanoUsd: 2 * USD }));
      await store.ledger.settle(settleOf(hold, USD));
      const entry = await addCredit(store.pool, payer.account.id, -USD, hold.requestId);
      expect(await store.ledger.credit(entry)).toMatchObject({ code: 'credited' });
      expect(await stateOf(store, payer.account.id)).toEqual([USD, 0, 0, 0]);
    });
  });
});
