import type { LedgerUnavailable, Payer } from '../../ledger.ts';

/** What a batch tells about itself, on the store's clock. */
export interface BatchTime {
  readonly nowMs: number;
  /** No usage stream entry that the batch wrote has a later time part; 0 when it wrote none. */
  readonly streamMs: number;
}

/** One call on its way to the script and back. */
export interface LedgerCall {
  readonly partition: number;
  readonly head: string;
  /** One argument or two, as the operation's file says; undefined arguments are not sent. */
  readonly first: string | undefined;
  readonly second: string | undefined;
  /** What to load when the script answers "N": all of a payer, or only an account. */
  readonly loads: Payer | string;
  /** How often it was sent, to end loading that never helps. */
  sent: number;
  answer(line: string, time: BatchTime): void;
  /** The call may have been applied all the same, when it had been sent. */
  fail(outcome: LedgerUnavailable): void;
  /**
   * What is heard of a call that was sent and has failed for want of an answer: the line that came late, or undefined when the
   * connection ended without one, so that nobody knows whether the call was applied.
   */
  late?(line: string | undefined): void;
}

export function unavailable(cause: string): LedgerUnavailable {
  return { code: 'ledger_unavailable', cause };
}
