import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, STORE_KINDS, type Store } from './support/stores.ts';
import { fund, holdOf, settleOf, USD } from './support/fixtures.ts';

describe.each(STORE_KINDS)('the ledger contract, %s', (kind) => {
  let store: Store;

  beforeAll(async () => {
    store = await openStore(kind);
  });

  afterAll(async () => {
    await store.close();
  });

  const state = async (accountId: string) => {
    const found = await store.ledger.accountState(accountId);
    if (found === undefined) throw new Error(`no account ${accountId}`);
    return found;
  };

  describe('hold', () => {
    it('takes the amount from what is available', async () => {
      const payer = await fund(store.pool, 5 * USD);
      expect(await store.ledger.hold(holdOf(payer, { amountNanoUsd: 2 * USD }))).toEqual({
        code: 'held',
        heldNanoUsd: 2 * USD,
      });
      expect(await state(payer.account.id)).toMatchObject({
        availableNanoUsd: 3 * USD,
        heldNanoUsd: 2 * USD,
        inFlight: 1,
      });
    });

    it('answers exists to the same request, even when the money has run out since', async () => {
      const payer = await fund(store.pool, USD);
      const hold = holdOf(payer);
      await store.ledger.hold(hold);
      expect(await store.ledger.hold(hold)).toEqual({ code: 'exists', heldNanoUsd: USD });
      expect(await state(payer.account.id)).toMatchObject({ availableNanoUsd: 0, inFlight: 1 });
    });
  });

  describe('settle', () => {
    it('charges the cost and gives the rest of the hold back', async () => {
      const payer = await fund(store.pool, 5 * USD);
      const hold = holdOf(payer, { amountNanoUsd: 2 * USD });
      await store.ledger.hold(hold);
      expect(await store.ledger.settle(settleOf(hold, 700))).toEqual({
        code: 'settled',
        balanceNanoUsd: 700,
        subscriptionNanoUsd: 0,
        uncollectedNanoUsd: 0,
      });
      expect(await state(payer.account.id)).toMatchObject({
        availableNanoUsd: 5 * USD - 700,
        heldNanoUsd: 0,
        inFlight: 0,
      });
    });
  });
});
