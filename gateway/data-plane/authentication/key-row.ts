import type { AccountPrice } from '../../catalog/account-prices.ts';
import type { Membership } from '../../catalog/memberships.ts';
import type {
  AccountTerms,
  Budget,
  KeyTerms,
  SharerTerms,
  SubscriptionTerms,
} from '../../ledger/ledger.ts';

/**
 * One row of sql/key.sql: what a worker thread answers about a key. Crosses threads by structured
 * clone.
 */
export interface KeyRow {
  readonly keyId: string;
  readonly prefix: string;
  readonly status: KeyTerms['status'];
  readonly groupId: string;
  readonly expiresAtMs: number | null;
  readonly budgetTotal: number | null;
  readonly budgetDay: number | null;
  readonly budgetMonth: number | null;
  readonly rpm: number | null;
  readonly tpm: number | null;
  readonly concurrencyMax: number | null;
  readonly ipAllowlist: readonly string[];
  readonly modelAllowlist: readonly string[];
  readonly accountId: string;
  readonly accountStatus: AccountTerms['status'];
  readonly accountConcurrencyMax: number | null;
  readonly preference: AccountTerms['preference'];
  readonly subscriptions: readonly SubscriptionTerms[];
  /** Budgets above the key; null for an account of one person without budgets. */
  readonly shares: {
    readonly calendar: readonly number[] | null;
    readonly accountBudgets: readonly Budget[];
    readonly team: SharerTerms | null;
    readonly member: SharerTerms | null;
  } | null;
  /** All groups that the account was given. */
  readonly memberships: readonly Membership[];
  /** The account's own prices in force, and those to come. */
  readonly accountPrices: readonly AccountPrice[];
  /** The member whose key it is has left the account, or may not log in. */
  readonly memberGone: boolean;
  /** False when the groups of its team do not include the key's. */
  readonly teamMayUse: boolean;
  /** Its owner keeps what passes, and is still there. */
  readonly keepsContent: boolean;
  /** A command-line tool holds it that a person has logged in. */
  readonly isLogin: boolean;
}
