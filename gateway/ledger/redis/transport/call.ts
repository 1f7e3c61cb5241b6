import type { LedgerUnavailable, Payer } from '../../ledger.ts';

/** Times of a batch, on the store's clock. */
export interface BatchTime {
  readonly nowMs: number;
  /**
   * Upper bound for the time part of stream entries that the batch has written; 0 when it has
   * written none.
   */
  readonly streamMs: number;
}

/** One call to the script. */
export interface LedgerCall {
  readonly partition: number;
  readonly head: string;
  /** Arguments after the head, as in command-table.ts; undefined ones are not sent. */
  readonly first: string | undefined;
  readonly second: string | undefined;
  /** The data to load when the script replies "N": everything of a payer, or only an account. */
  readonly loads: Payer | string;
  /** Number of times it was sent; a limit stops a call that loading does not help. */
  sent: number;
  answer(line: string, time: BatchTime): void;
  /** A call that was sent may have been applied. */
  fail(outcome: LedgerUnavailable): void;
  /**
   * For a call that was sent and failed without a reply. Receives the reply when it arrives later,
   * or undefined when the connection ended and nothing is known.
   */
  late?(line: string | undefined): void;
}

export function unavailable(cause: string): LedgerUnavailable {
  return { code: 'ledger_unavailable', cause };
}
