import { expect } from 'vitest';
import type { HoldRequest } from '../../../../gateway/ledger/ledger.ts';
import type { Store } from './stores.ts';

/** Available, held and owed nanodollars, and requests in flight. */
export async function stateOf(store: Pick<Store, 'ledger'>, accountId: string): Promise<number[]> {
  const found = await store.ledger.accountState(accountId);
  if (found === undefined) throw new Error(`no account ${accountId}`);
  const { availableNanoUsd, heldNanoUsd, owedNanoUsd, inFlight } = found;
  return [availableNanoUsd, heldNanoUsd, owedNanoUsd, inFlight];
}

/** Makes the hold and returns it. */
export async function held(store: Pick<Store, 'ledger'>, hold: HoldRequest): Promise<HoldRequest> {
  expect(await store.ledger.hold(hold)).toMatchObject({ code: 'held' });
  return hold;
}

/** The outcome of a settle that only the balance has paid. */
export function settledFromBalance(balanceNanoUsd: number, uncollectedNanoUsd = 0) {
  return { balanceNanoUsd, subscriptionNanoUsd: 0, uncollectedNanoUsd };
}
