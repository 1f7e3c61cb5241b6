import type {
  Budget,
  BudgetPeriod,
  Payer,
  RecoveredUsage,
  SubscriptionTerms,
} from '../../ledger.ts';
import { scopeField, spendLevelsOf } from '../../spend-scopes.ts';
import { partitionKey, partitionOf } from '../../partition.ts';

/** A payer as the script reads it (lua/payer.lua). */
export interface EncodedPayer {
  readonly partition: number;
  readonly text: string;
}

const NO_LIMIT = -1;
/** In the order of the script's text. */
const BUDGET_PERIODS = ['total', 'day', 'month'] as const satisfies readonly BudgetPeriod[];

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
      text: `${account.text}${fields}${encodeLimits(payer)}${encodeScopes(payer)}`,
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
  const scopes = usage.scopes.map((scope) => `|${scopeField(scope)}`);
  return `;${usage.keyId},${usage.settledAtMs},${usage.spentNanoUsd}${parts.join('')}|${usage.localSettledAtMs}${scopes.join('')}`;
}

/** The strictest budget of the period; -1 when there is none. */
function budgetOf(budgets: readonly Budget[], period: BudgetPeriod): number {
  let limit = NO_LIMIT;
  for (const budget of budgets) {
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

function encodeBudgets(budgets: readonly Budget[]): string {
  return BUDGET_PERIODS.map((period) => budgetOf(budgets, period)).join(',');
}

/** Empty for an account in UTC without members and without budgets of its own. */
function encodeScopes(payer: Payer): string {
  const { calendar } = payer.account;
  const scopes = spendLevelsOf(payer).map(
    ({ scope, budgets }) => `|${scopeField(scope)},${encodeBudgets(budgets)}`,
  );
  const zone = calendar?.join(',') ?? '';
  return scopes.length === 0 && zone === '' ? '' : `|${zone}${scopes.join('')}`;
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
  limits.push(...BUDGET_PERIODS.map((period) => budgetOf(key.budgets, period)));
  if (subscriptions.length === 0 && limits.every((limit) => limit === NO_LIMIT)) return '';
  const preference = account.preference === 'balance_first' ? 1 : 0;
  return `,${limits.join(',')},${preference}${subscriptions.map(encodeSubscription).join('')}`;
}
