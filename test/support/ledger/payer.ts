import { randomUUID } from 'node:crypto';
import type {
  AccountTerms,
  GroupTerms,
  KeyTerms,
  Payer,
  SharerTerms,
  SubscriptionTerms,
} from '../../../gateway/ledger/ledger.ts';

export interface PayerOverrides {
  readonly account?: Partial<AccountTerms>;
  readonly key?: Partial<KeyTerms>;
  readonly group?: Partial<GroupTerms>;
  readonly subscriptions?: readonly SubscriptionTerms[];
  readonly team?: SharerTerms | null;
  readonly member?: SharerTerms | null;
}

/**
 * A payer without limits of an account that no store has heard of; other ids and terms by
 * overrides. See `fund` (fixtures.ts).
 */
export function payerOf({
  account,
  key,
  group,
  subscriptions,
  team,
  member,
}: PayerOverrides = {}): Payer {
  return {
    account: {
      id: randomUUID(),
      status: 'active',
      concurrencyMax: null,
      preference: 'subscription_first',
      ...account,
    },
    key: {
      id: randomUUID(),
      status: 'active',
      expiresAtMs: null,
      budgets: [],
      concurrencyMax: null,
      rpm: null,
      tpm: null,
      ...key,
    },
    group: { id: randomUUID(), rpm: null, tpm: null, ...group },
    subscriptions: subscriptions ?? [],
    ...(team && { team }),
    ...(member && { member }),
  };
}
