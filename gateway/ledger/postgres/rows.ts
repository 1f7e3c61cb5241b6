import {
  type AccountState,
  type BudgetRefusal,
  type ExtendOutcome,
  HOLD_REFUSALS,
  type HoldOutcome,
  type ReleaseOutcome,
  type SettleOutcome,
} from '../ledger.ts';

/** Rows that the functions of stores/postgres/functions/ return, and their outcomes. */
export interface HoldRow {
  readonly code: string;
  readonly held: number;
  readonly retryAfterMs: number | null;
  readonly affordable: number;
}

export interface ExtendRow {
  readonly code:
    | 'extended'
    | 'exists'
    | 'hold_not_found'
    | 'request_closed'
    | 'insufficient_balance'
    | BudgetRefusal;
  readonly amount: number;
}

export interface SettleRow {
  readonly code: 'settled' | 'settled_late' | 'exists' | 'request_closed' | 'account_unknown';
  readonly balance: number;
  readonly subscription: number;
  readonly uncollected: number;
}

export interface ReleaseRow {
  readonly code: Exclude<ReleaseOutcome['code'], 'ledger_unavailable'>;
}

export interface ExpireRow {
  readonly closed: number;
}

export interface CreditRow {
  readonly code: 'credited' | 'exists' | 'not_loaded' | 'out_of_order';
  readonly sequence: number;
}

export interface AccountRow extends Omit<AccountState, 'accountId'> {
  readonly accountId: string | null;
}

/** A function returns exactly one row. */
export function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('the statement answered no row');
  return row;
}

export function holdOutcome(row: HoldRow): HoldOutcome {
  if (row.code === 'held' || row.code === 'exists') {
    return { code: row.code, heldNanoUsd: row.held };
  }
  const code = HOLD_REFUSALS.find((refusal) => refusal === row.code);
  if (code === undefined) return { code: 'ledger_unavailable', cause: row.code };
  return { code, retryAfterMs: row.retryAfterMs, affordableNanoUsd: row.affordable };
}

export function extendOutcome(row: ExtendRow): ExtendOutcome {
  switch (row.code) {
    case 'extended':
    case 'exists':
      return { code: row.code, heldNanoUsd: row.amount };
    case 'hold_not_found':
    case 'request_closed':
      return { code: row.code };
    case 'insufficient_balance':
    case 'account_budget_exceeded':
    case 'team_budget_exceeded':
    case 'member_budget_exceeded':
    case 'key_budget_exceeded':
      return { code: row.code, affordableNanoUsd: row.amount };
  }
}

export function settleOutcome(row: SettleRow): SettleOutcome {
  if (row.code === 'request_closed') return { code: row.code };
  if (row.code === 'account_unknown') return { code: 'ledger_unavailable', cause: row.code };
  return {
    code: row.code,
    balanceNanoUsd: row.balance,
    subscriptionNanoUsd: row.subscription,
    uncollectedNanoUsd: row.uncollected,
  };
}
