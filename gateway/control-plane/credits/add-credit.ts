import type { CreditKind } from '@weir/shared/money/credits';
import { onlyRow, type Database } from '../api/transaction.ts';

export interface NewCredit {
  /** Names the cause; the same one again changes nothing. */
  readonly entryId: string;
  readonly accountId: string;
  /** Negative takes money. */
  readonly amountNanoUsd: number;
  readonly kind: CreditKind;
  readonly reason: string;
  /** A user id, `stripe` or `system`. */
  readonly actor: string;
  /** The hold that keeps the money: the ledger releases it in the step that applies the credit. */
  readonly holdId?: string | undefined;
}

const ADD = `select sequence, applied from add_credit($1, $2, $3, $4, $5, $6, $7)`;

/**
 * Writes a credit into the book, in the transaction of its cause. The caller pushes it to the
 * ledger after the commit.
 */
export async function addCredit(
  db: Database,
  credit: NewCredit,
): Promise<{ readonly sequence: number; readonly applied: boolean }> {
  const { rows } = await db.query<{ sequence: number; applied: boolean }>(ADD, [
    credit.entryId,
    credit.accountId,
    credit.amountNanoUsd,
    credit.kind,
    credit.reason,
    credit.actor,
    credit.holdId ?? null,
  ]);
  return onlyRow(rows);
}
