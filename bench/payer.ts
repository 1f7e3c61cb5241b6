import type { Payer } from '../gateway/ledger/ledger.ts';

/** A payer without limits, budgets and subscriptions: what the ledger asks of every request. */
export function payerOf(accountId: string, keyId: string, groupId: string): Payer {
  return {
    account: {
      id: accountId,
      status: 'active',
      concurrencyMax: null,
      preference: 'subscription_first',
    },
    key: {
      id: keyId,
      status: 'active',
      expiresAtMs: null,
      budgets: [],
      concurrencyMax: null,
      rpm: null,
      tpm: null,
    },
    group: { id: groupId, rpm: null, tpm: null },
    subscriptions: [],
  };
}
