import type { AccountAdminView, AccountView, BalanceView } from '@weir/shared/people/accounts';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import type { AdminContext } from '../api/context.ts';
import type { Database } from '../api/transaction.ts';

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly status: AccountView['status'];
  readonly concurrencyMax: number | null;
  readonly subscriptionPreference: AccountView['subscriptionPreference'];
  readonly deletedAt: Date | null;
  readonly note: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const FIND = `
  select id, name, status, concurrency_max as "concurrencyMax",
    subscription_preference as "subscriptionPreference", deleted_at as "deletedAt", note,
    created_at as "createdAt", updated_at as "updatedAt"
  from accounts where id = $1`;

export async function findAccount(
  db: Database,
  accountId: string,
  options: { readonly lock: boolean } = { lock: false },
): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>(options.lock ? `${FIND} for update` : FIND, [
    accountId,
  ]);
  return rows[0];
}

/**
 * The live balance; null while the ledger cannot be reached, because an old figure would be a wrong
 * one.
 */
export async function readBalance(
  context: AdminContext,
  accountId: string,
): Promise<BalanceView | null> {
  try {
    const state = await context.ledger.accountState(accountId);
    if (state === undefined) return null;
    return {
      availableUsd: decimalFromNanoUsd(state.availableNanoUsd),
      heldUsd: decimalFromNanoUsd(state.heldNanoUsd),
      owedUsd: decimalFromNanoUsd(state.owedNanoUsd),
      requestsInFlight: state.inFlight,
    };
  } catch (error) {
    context.logger.warn({ err: error, accountId }, 'the ledger did not return a balance');
    return null;
  }
}

export function accountView(row: AccountRow, balance: BalanceView | null): AccountView {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    concurrencyMax: row.concurrencyMax,
    subscriptionPreference: row.subscriptionPreference,
    balance,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The same for operators. */
export function accountAdminView(row: AccountRow, balance: BalanceView | null): AccountAdminView {
  return { ...accountView(row, balance), note: row.note };
}
