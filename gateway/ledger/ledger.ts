/**
 * The ledger contract. Two implementations (redis/, postgres/) pass one test suite.
 *
 * Every operation is atomic, idempotent by its id, and returns a coded outcome. Outcomes are listed
 * in the order in which they are decided.
 *
 * All amounts are whole nanodollars. All durations are milliseconds on the store's own clock, so
 * that gateways whose clocks disagree still agree about windows and expiry.
 *
 * Invariants (checked by the auditor in tests and by `npm run reconcile`):
 *  I1  available is never negative.
 *  I2  available + held - owed = credits - settled, per account.
 *  I3  a request settles at most once, and a settled request has exactly one usage record.
 *  I4  when nothing is in flight and expiry has passed, held = 0.
 *  I5  the spend of a team and of a member is the sum of their usage records, per period.
 */

/** Periods of a budget; day and month are those of the account's time zone. */
export type BudgetPeriod = 'total' | 'day' | 'month';

export interface Budget {
  readonly period: BudgetPeriod;
  readonly limitNanoUsd: number;
}

export interface RateLimits {
  /** Requests per minute; null is unlimited. */
  readonly rpm: number | null;
  /** Tokens per minute; null is unlimited. */
  readonly tpm: number | null;
}

export interface AccountTerms {
  readonly id: string;
  readonly status: 'active' | 'suspended';
  /** Requests in flight at once; null is unlimited. */
  readonly concurrencyMax: number | null;
  /** The money that is used first if both could pay. */
  readonly preference: 'subscription_first' | 'balance_first';
  /** Budgets of everything that the account spends. */
  readonly budgets?: readonly Budget[];
  /**
   * Offsets of the account's local time to UTC, ms: [offset, from, offset, …], where each
   * later offset applies from the epoch milliseconds before it. Absent or null: UTC.
   */
  readonly calendar?: readonly number[] | null;
}

/**
 * The subject of a budget, other than a key: everything in the account, or the keys of a team or of
 * a member. Column `scope` of spend_budgets and scope_spend.
 */
export type SpendScope = 'account' | `team:${number}` | `member:${number}`;

/** A team or a member, whose keys share budgets. */
export interface SharerTerms {
  readonly id: number;
  readonly budgets: readonly Budget[];
}

export interface KeyTerms extends RateLimits {
  readonly id: string;
  readonly status: 'active' | 'disabled' | 'deleted';
  /** Epoch milliseconds; null never expires. */
  readonly expiresAtMs: number | null;
  readonly budgets: readonly Budget[];
  readonly concurrencyMax: number | null;
}

/** A group's rate limits count per account: one customer never uses up another's share. */
export interface GroupTerms extends RateLimits {
  readonly id: string;
}

export type AllowanceWindow = '5h' | 'day' | 'week' | 'month';

export interface Allowance {
  readonly window: AllowanceWindow;
  readonly limitNanoUsd: number;
}

/**
 * A subscription that may pay for this request (its plan covers the key's group and it is active).
 */
export interface SubscriptionTerms {
  readonly id: string;
  /**
   * Windows are counted from here: the n-th window starts n window lengths (or months) after it.
   */
  readonly startedAtMs: number;
  readonly endsAtMs: number;
  readonly allowances: readonly Allowance[];
}

/**
 * The terms of a payer, from the change feed: less than a second old while Postgres is available.
 * Limits travel with the call; counters are in the ledger.
 */
export interface Payer {
  readonly account: AccountTerms;
  readonly key: KeyTerms;
  readonly group: GroupTerms;
  readonly subscriptions: readonly SubscriptionTerms[];
  /** Absent or null for a key that belongs to no team, or to no member. */
  readonly team?: SharerTerms | null;
  readonly member?: SharerTerms | null;
}

export interface HoldRequest {
  /** UUID version 7. Its timestamp selects the bucket in which the ledger remembers the request. */
  readonly requestId: string;
  readonly payer: Payer;
  /** The wanted amount. */
  readonly amountNanoUsd: number;
  /** The least useful amount; equal to `amountNanoUsd` when only the whole amount is useful. */
  readonly minimumNanoUsd: number;
  /** Tokens counted against TPM limits. */
  readonly tokens: number;
  readonly ttlMs: number;
}

/**
 * Refusals of `hold` in the order in which they are decided, except those for the status of account
 * and key: they need no store and come first (status.ts). A rate refusal consumes nothing.
 */
export const HOLD_REFUSALS = [
  'request_conflict',
  'request_closed',
  'account_suspended',
  'key_disabled',
  'key_expired',
  'account_budget_exceeded',
  'team_budget_exceeded',
  'member_budget_exceeded',
  'key_budget_exceeded',
  'key_concurrency_exceeded',
  'account_concurrency_exceeded',
  'key_rpm_exceeded',
  'key_tpm_exceeded',
  'group_rpm_exceeded',
  'group_tpm_exceeded',
  'insufficient_balance',
] as const;

export type HoldRefusal = (typeof HOLD_REFUSALS)[number];

/**
 * Refusals by a budget. They name the first level that is used up, and say what all levels leave
 * and when all that are used up reset.
 */
export type BudgetRefusal = Extract<HoldRefusal, `${string}_budget_exceeded`>;

export function isBudgetRefusal(code: HoldRefusal): code is BudgetRefusal {
  return code.endsWith('_budget_exceeded');
}

export type HoldOutcome =
  | {
      /** `exists`: the same request was already held with the same content. */
      readonly code: 'held' | 'exists';
      /** Between minimum and amount. */
      readonly heldNanoUsd: number;
    }
  | {
      readonly code: HoldRefusal;
      /**
       * The delay after which a retry can succeed, for rate and concurrency refusals and for
       * windows that reset. Null: never.
       */
      readonly retryAfterMs: number | null;
      /** For money refusals the amount that could be held; 0 otherwise. */
      readonly affordableNanoUsd: number;
    }
  | LedgerUnavailable;

export interface ExtendRequest {
  readonly requestId: string;
  readonly payer: Payer;
  /** 1, 2, 3 … within the request; makes a repeated call idempotent. */
  readonly extension: number;
  /** 0 only extends the time. */
  readonly amountNanoUsd: number;
  readonly minimumNanoUsd: number;
  readonly ttlMs: number;
}

export type ExtendOutcome =
  /** `heldNanoUsd` is the whole amount of the hold, not the added part. */
  | { readonly code: 'extended' | 'exists'; readonly heldNanoUsd: number }
  | { readonly code: 'hold_not_found' | 'request_closed' }
  | {
      readonly code: 'insufficient_balance' | BudgetRefusal;
      readonly affordableNanoUsd: number;
    }
  | LedgerUnavailable;

export interface SettleRequest {
  readonly requestId: string;
  readonly payer: Payer;
  /**
   * The actual cost. What exceeds the hold is taken from the available balance, never below zero.
   */
  readonly actualNanoUsd: number;
  /** Tokens really used; corrects the TPM counters. */
  readonly tokens: number;
  /** The usage record as JSON, appended in the same atomic step. */
  readonly recordJson: string;
}

export type SettleOutcome =
  | {
      /** `settled_late`: the hold had expired or was lost; the cost was charged nevertheless. */
      readonly code: 'settled' | 'settled_late' | 'exists';
      readonly balanceNanoUsd: number;
      readonly subscriptionNanoUsd: number;
      readonly uncollectedNanoUsd: number;
    }
  /** The request was released before; nothing is charged. */
  | { readonly code: 'request_closed' }
  | LedgerUnavailable;

export interface ReleaseRequest {
  readonly requestId: string;
  readonly accountId: string;
}

export type ReleaseOutcome =
  | { readonly code: 'released' | 'exists' | 'hold_not_found' | 'request_closed' }
  | LedgerUnavailable;

/**
 * Usage that a credit of kind recovered_usage charges, because Redis lost it before it reached
 * Postgres. The amount of the credit is the part of the balance; keys, scopes and subscriptions
 * count their part when the credit is applied.
 */
export interface RecoveredUsage {
  readonly keyId: string;
  /** From the balance and from subscriptions. */
  readonly spentNanoUsd: number;
  readonly settledAtMs: number;
  /** In the account's local time, as milliseconds that show it in UTC. */
  readonly localSettledAtMs: number;
  readonly scopes: readonly SpendScope[];
  readonly subscriptions: readonly {
    readonly id: string;
    readonly startedAtMs: number;
    readonly amountNanoUsd: number;
  }[];
}

/**
 * A row of Postgres' `credits`: top-up, refund, adjustment, purchase. A negative amount takes
 * money.
 */
export interface CreditEntry {
  readonly entryId: string;
  readonly accountId: string;
  /** 1, 2, 3 … per account without gaps; entries are applied in order, each once. */
  readonly sequence: number;
  readonly amountNanoUsd: number;
  readonly usage?: RecoveredUsage | null;
  /**
   * The hold that keeps the money this credit takes, released in the same step. In two steps the
   * money would count twice, and other requests would be refused, or it would be free for a moment.
   */
  readonly holdId?: string | null;
}

export type CreditOutcome =
  | {
      /**
       * `not_loaded`: the store does not have the account, and its load will include the entry.
       * `out_of_order`: an earlier entry is missing; `sequence` is the last one applied.
       */
      readonly code: 'credited' | 'exists' | 'not_loaded' | 'out_of_order';
      readonly sequence: number;
    }
  | LedgerUnavailable;

/** The store is unreachable or refuses writes. The call may have been applied. */
export interface LedgerUnavailable {
  readonly code: 'ledger_unavailable';
  readonly cause: string;
}

/** The money of an account, for the admin API, the console and the auditor. */
export interface AccountState {
  readonly accountId: string;
  readonly availableNanoUsd: number;
  readonly heldNanoUsd: number;
  /**
   * Remainder of a negative credit larger than the available balance; later credits and releases
   * pay it first.
   */
  readonly owedNanoUsd: number;
  readonly creditSequence: number;
  readonly inFlight: number;
}

export interface Ledger {
  hold(request: HoldRequest): Promise<HoldOutcome>;
  extend(request: ExtendRequest): Promise<ExtendOutcome>;
  settle(request: SettleRequest): Promise<SettleOutcome>;
  release(request: ReleaseRequest): Promise<ReleaseOutcome>;
  /** Closes expired holds, about `limit` at most. Returns how many it closed. */
  expire(limit: number): Promise<number>;
  credit(entry: CreditEntry): Promise<CreditOutcome>;
  /** `undefined` when Postgres does not know the account either. */
  accountState(accountId: string): Promise<AccountState | undefined>;
  /**
   * Holds nothing on an account of the probe's own and releases it; resolves when the store has
   * done both. Nothing of it is left, neither in the store nor in the books. Rejects with the
   * reason otherwise: a store that answers may refuse every write.
   */
  probe(): Promise<void>;
  close(): Promise<void>;
}
