import type { LedgerLog } from './ledger-log.ts';

/**
 * Holds that failed longer ago say nothing of now: an instance that a load balancer leaves out gets no request that
 * could show that the ledger takes holds again.
 */
const RECENT_MS = 10_000;
/** A hold that succeeded since then shows that the ledger takes holds, whatever fails beside it. */
const HELD_MS = 2_000;
/** Causes logged of one fault: what a store says may be another text for each request. */
const CAUSES_LOGGED_MAX = 8;

/**
 * Whether the ledger takes holds, and why not. A store that answers may refuse every write, because its disk or memory is full
 * or it is read-only: no ping shows that, and each refused client hears of it without a word in the log.
 *
 * States: sound -> failing (each cause is logged once) -> sound, with the first hold that succeeds when none has failed
 * for a while: under load some fail and some do not, and each change is no news.
 */
export class LedgerHealth {
  readonly #log: LedgerLog;
  readonly #nowMs: () => number;
  readonly #causes = new Set<string>();
  #failedAtMs = -Infinity;
  #heldAtMs = -Infinity;
  #failedLast = false;

  /** @param nowMs any clock that does not go back */
  constructor(log: LedgerLog, nowMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** Holds fail just now, all of them. */
  get isFailing(): boolean {
    return this.#failedLast && !this.isWorking && this.#nowMs() - this.#failedAtMs < RECENT_MS;
  }

  /** A hold has succeeded just now. */
  get isWorking(): boolean {
    return this.#nowMs() - this.#heldAtMs < HELD_MS;
  }

  recordFailure(cause: string): void {
    this.#failedAtMs = this.#nowMs();
    this.#failedLast = true;
    if (this.#causes.has(cause) || this.#causes.size >= CAUSES_LOGGED_MAX) return;
    this.#causes.add(cause);
    this.#log.error({ cause }, 'the ledger takes no holds: requests are refused with 503');
  }

  recordSuccess(): void {
    this.#heldAtMs = this.#nowMs();
    this.#failedLast = false;
    if (this.#causes.size === 0 || this.#heldAtMs - this.#failedAtMs < RECENT_MS) return;
    this.#causes.clear();
    this.#log.info({}, 'the ledger takes holds again');
  }
}
