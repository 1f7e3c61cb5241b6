import { setTimeout as sleep } from 'node:timers/promises';
import {
  SwapRemoveList,
  type SwapRemoveMember,
} from '../../platform/event-loop/swap-remove-list.ts';
import { causeOf } from '../../platform/errors/cause-of.ts';
import type {
  Ledger,
  LedgerUnavailable,
  ReleaseOutcome,
  ReleaseRequest,
  SettleOutcome,
  SettleRequest,
} from '../../ledger/ledger.ts';
import { type LedgerLog, SILENT_LOG } from '../../ledger/ledger-log.ts';
import { DeadlineQueue } from './deadline-queue.ts';
import { RetryQueue } from './retry-queue.ts';

/**
 * Each is a few hundred bytes of record: this bounds what a ledger that is down for long can cost
 * to about 100 MB.
 */
const PENDING_MAX = 100_000;
const FLUSH_LOOK_MS = 10;

export interface SettlementOptions {
  readonly ledger: Ledger;
  /** Longest wait for the ledger's acknowledgement before the caller goes on without it. */
  readonly settleWaitMs: number;
  /** Calls kept for repetition while the ledger does not answer. */
  readonly pendingMax?: number;
  /** Called whenever the ledger has taken a settle or a release. */
  readonly onSettled?: () => void;
  readonly logger?: LedgerLog;
}

/** The settlements so far, for metrics. */
export interface SettlementTotals {
  readonly settled: number;
  /** Settled after the hold had expired or was lost. */
  readonly late: number;
  /**
   * Bills given up, because too many were pending or this gateway is ending; each was written to
   * the log.
   */
  readonly givenUp: number;
  readonly balanceNanoUsd: number;
  readonly subscriptionNanoUsd: number;
  readonly uncollectedNanoUsd: number;
}

export interface Settlement {
  /**
   * Resolves with `settled` when the ledger has acknowledged, with `pending` when it has not within
   * `settleWaitMs`; the settle is then repeated until it lands. Never rejects.
   */
  settle(request: SettleRequest): Promise<'settled' | 'pending'>;
  /**
   * Closes the request without a charge, and is repeated likewise. Resolves after `settleWaitMs` at
   * the latest.
   */
  release(request: ReleaseRequest): Promise<void>;
  /**
   * Waits for calls that have no answer yet and repeats what is pending at once, for at most
   * `timeoutMs`; answers how many are left.
   */
  flush(timeoutMs: number): Promise<number>;
  /** Calls that wait to be repeated. */
  pending(): number;
  totals(): SettlementTotals;
  /**
   * Ends the timers for good. What has no answer yet is given up and written to the log; its holds
   * expire.
   */
  stop(): void;
}

export function createSettlement(options: SettlementOptions): Settlement {
  return new LedgerSettlement(options);
}

type LedgerReply = SettleOutcome | ReleaseOutcome;

/** A call that must land. `done` once it has, or has been given up. */
interface LedgerCall extends SwapRemoveMember {
  readonly requestId: string;
  /** Written to the log when the call has to be given up. */
  readonly recordJson: string | undefined;
  readonly call: () => Promise<LedgerReply>;
}

class LedgerSettlement implements Settlement {
  readonly #ledger: Ledger;
  readonly #log: LedgerLog;
  readonly #onSettled: () => void;
  readonly #deadlines: DeadlineQueue;
  readonly #retries: RetryQueue<LedgerCall>;
  /** Called for the first time, and neither landed nor kept for repetition. */
  readonly #unanswered = new SwapRemoveList<LedgerCall>();
  readonly #totals = {
    settled: 0,
    late: 0,
    givenUp: 0,
    balanceNanoUsd: 0,
    subscriptionNanoUsd: 0,
    uncollectedNanoUsd: 0,
  };

  constructor({ ledger, settleWaitMs, pendingMax, onSettled, logger }: SettlementOptions) {
    this.#onSettled = onSettled ?? (() => undefined);
    this.#ledger = ledger;
    this.#log = logger ?? SILENT_LOG;
    this.#deadlines = new DeadlineQueue(settleWaitMs);
    this.#retries = new RetryQueue({
      entriesMax: pendingMax ?? PENDING_MAX,
      attempt: (attempt) => this.#repeat(attempt),
    });
  }

  settle(request: SettleRequest): Promise<'settled' | 'pending'> {
    return this.#once({
      place: -1,
      requestId: request.requestId,
      recordJson: request.recordJson,
      call: () => this.#ledger.settle(request),
    });
  }

  async release(request: ReleaseRequest): Promise<void> {
    await this.#once({
      place: -1,
      requestId: request.requestId,
      recordJson: undefined,
      call: () => this.#ledger.release(request),
    });
  }

  async flush(timeoutMs: number): Promise<number> {
    const endMs = performance.now() + timeoutMs;
    // Their callers may have gone on without the answer, and a call that fails has to be repeated.
    while (this.#unanswered.size > 0 && performance.now() < endMs) await sleep(FLUSH_LOOK_MS);
    return this.#unanswered.size + (await this.#retries.flush(endMs - performance.now()));
  }

  pending(): number {
    return this.#retries.size;
  }

  totals(): SettlementTotals {
    return { ...this.#totals };
  }

  stop(): void {
    this.#deadlines.stop();
    const left = this.#retries.stop();
    this.#unanswered.forEach((attempt) => {
      this.#unanswered.remove(attempt);
      left.push(attempt);
    });
    for (const attempt of left) this.#giveUp(attempt, 'no answer until the end');
  }

  #once(attempt: LedgerCall): Promise<'settled' | 'pending'> {
    return new Promise((resolve) => {
      const deadline = this.#deadlines.add(() => {
        resolve('pending');
      });
      this.#unanswered.add(attempt);
      const answer = (outcome: LedgerReply): void => {
        const wanted = this.#unanswered.remove(attempt);
        this.#deadlines.remove(deadline);
        if (outcome.code === 'ledger_unavailable') {
          if (wanted) this.#keep(attempt, outcome);
          resolve('pending');
        } else {
          this.#landed(attempt, outcome);
          resolve('settled');
        }
      };
      callLedger(attempt).then(answer, (error: unknown) => {
        answer(lost(error));
      });
    });
  }

  async #repeat(attempt: LedgerCall): Promise<boolean> {
    const outcome = await callLedger(attempt).catch(lost);
    if (outcome.code === 'ledger_unavailable') return false;
    this.#landed(attempt, outcome);
    return true;
  }

  #keep(attempt: LedgerCall, { cause }: LedgerUnavailable): void {
    if (this.#retries.add(attempt)) {
      // One line as the trouble begins; a line for each of thousands would bury it.
      if (this.#retries.size === 1) this.#log.warn({ cause }, 'The ledger does not answer');
      return;
    }
    this.#giveUp(attempt, cause);
  }

  #giveUp({ requestId, recordJson }: LedgerCall, cause: string): void {
    if (recordJson !== undefined) this.#totals.givenUp += 1;
    // The record is in the log, so that even this bill can be entered by hand.
    this.#log.error(
      { requestId, record: recordJson, cause },
      'Too many calls wait for the ledger, or this gateway is stopping: this call was given up',
    );
  }

  #landed(attempt: LedgerCall, outcome: LedgerReply): void {
    this.#onSettled();
    if ('balanceNanoUsd' in outcome) {
      this.#count(outcome);
    } else if (outcome.code === 'request_closed' && attempt.recordJson !== undefined) {
      this.#log.warn(
        { requestId: attempt.requestId, record: attempt.recordJson },
        'A settle came after the request had been released; nothing was charged',
      );
    }
  }

  #count(outcome: Extract<SettleOutcome, { balanceNanoUsd: number }>): void {
    const totals = this.#totals;
    totals.settled += 1;
    if (outcome.code === 'settled_late') totals.late += 1;
    totals.balanceNanoUsd += outcome.balanceNanoUsd;
    totals.subscriptionNanoUsd += outcome.subscriptionNanoUsd;
    totals.uncollectedNanoUsd += outcome.uncollectedNanoUsd;
  }
}

/** Without a promise of its own: every request passes here. */
function callLedger({ call }: LedgerCall): Promise<LedgerReply> {
  try {
    return call();
  } catch (error) {
    return Promise.resolve(lost(error));
  }
}

/** A ledger that throws has met a broken invariant; here that must not lose the bill either. */
function lost(error: unknown): LedgerUnavailable {
  return { code: 'ledger_unavailable', cause: causeOf(error) };
}
