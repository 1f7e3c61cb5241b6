import type {
  BudgetPeriod,
  KeyTerms,
  Payer,
  RecoveredUsage,
  SubscriptionTerms,
} from '../../ledger.ts';
import { partitionKey, partitionOf } from '../../partition.ts';

/** A payer as the script reads it (lua/payer.lua). */
export interface EncodedPayer {
  readonly partition: number;
  readonly text: string;
}

const NO_LIMIT = -1;

/**
 * A payer object serves many requests, until its key, its account or the catalog changes, so its
 * text is cached.
 */
const encoded = new WeakMap<Payer, EncodedPayer>();

export function encodePayer(payer: Payer): EncodedPayer {
  let known = encoded.get(payer);
  if (known === undefined) {
    const account = encodeAccount(payer.account.id);
    const fields = `k:${payer.key.id}g:${payer.group.id}`;
    known = {
      partition: account.partition,
      text: `${account.text}${fields}${encodeLimits(payer)}`,
    };
    encoded.set(payer, known);
  }
  return known;
}

/** An account, for commands without a payer. */
export function encodeAccount(accountId: string): EncodedPayer {
  const partition = partitionOf(accountId);
  return { partition, text: partitionKey(partition, `a:${accountId}`) };
}

/** Recovered usage, which follows the account (lua/credit.lua). */
export function encodeRecovered(usage: RecoveredUsage | null | undefined): string {
  if (usage === null || usage === undefined) return '';
  const parts = usage.subscriptions.map(
    ({ id, startedAtMs, amountNanoUsd }) => `;${id},${startedAtMs},${amountNanoUsd}`,
  );
  return `;${usage.keyId},${usage.settledAtMs},${usage.spentNanoUsd}${parts.join('')}`;
}

/** The strictest budget of the period; -1 when there is none. */
function budgetOf(key: KeyTerms, period: BudgetPeriod): number {
  let limit = NO_LIMIT;
  for (const budget of key.budgets) {
    if (budget.period === period && (limit === NO_LIMIT || budget.limitNanoUsd < limit)) {
      limit = budget.limitNanoUsd;
    }
  }
  return limit;
}

function encodeSubscription(subscription: SubscriptionTerms): string {
  const limits = (['5h', 'day', 'week', 'month'] as const).map((window) =>
    subscription.allowances
      .filter((allowance) => allowance.window === window)
      .reduce(
        (least, { limitNanoUsd }) =>
          least === NO_LIMIT ? limitNanoUsd : Math.min(least, limitNanoUsd),
        NO_LIMIT,
      ),
  );
  const { id, startedAtMs, endsAtMs } = subscription;
  return `;${id},${startedAtMs},${endsAtMs},${limits.join(',')}`;
}

/** Empty when there is no limit at all: the script then skips every check. */
function encodeLimits(payer: Payer): string {
  const { account, key, group, subscriptions } = payer;
  const limits = [
    key.concurrencyMax,
    account.concurrencyMax,
    key.rpm,
    key.tpm,
    group.rpm,
    group.tpm,
  ].map((limit) => limit ?? NO_LIMIT);
  limits.push(budgetOf(key, 'total'), budgetOf(key, 'day'), budgetOf(key, 'month'));
  if (subscriptions.length === 0 && limits.every((limit) => limit === NO_LIMIT)) return '';
  const preference = account.preference === 'balance_first' ? 1 : 0;
  return `,${limits.join(',')},${preference}${subscriptions.map(encodeSubscription).join('')}`;
}
