import type { LedgerLog } from './ledger-log.ts';

/**
 * A success ends the outage once this time has passed since the last failure: under load some fail,
 * some succeed.
 */
const RECENT_MS = 10_000;
/** A hold that succeeded this recently shows that the ledger takes holds, even if others fail. */
const HELD_MS = 2_000;
/** A request that ended this recently shows that the ledger takes settles. */
const SETTLED_MS = 10_000;
/** Causes logged per outage. A store's message may differ with every request. */
const CAUSES_LOGGED_MAX = 8;

/**
 * Watches the holds of this thread to see whether the ledger serves its requests. A store that
 * answers may refuse every write, because its disk or memory is full or it is read-only; without
 * this, clients get 503 and the log shows nothing.
 *
 * States: working -> failing (logs each cause once) -> working (logged at the first success when no
 * hold has failed for a while, because under load some holds fail and some succeed).
 */
export class LedgerHealth {
  readonly #log: LedgerLog;
  readonly #nowMs: () => number;
  readonly #causes = new Set<string>();
  #failedAtMs = -Infinity;
  #heldAtMs = -Infinity;
  #settledAtMs = -Infinity;

  /** @param nowMs a monotonic clock */
  constructor(log: LedgerLog, nowMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** A hold has succeeded just now, and a settle or a release not long ago. */
  get isProven(): boolean {
    const nowMs = this.#nowMs();
    return nowMs - this.#heldAtMs < HELD_MS && nowMs - this.#settledAtMs < SETTLED_MS;
  }

  recordFailure(cause: string): void {
    this.#failedAtMs = this.#nowMs();
    if (this.#causes.has(cause) || this.#causes.size >= CAUSES_LOGGED_MAX) return;
    this.#causes.add(cause);
    this.#log.error({ cause }, 'the ledger takes no holds: requests are refused with 503');
  }

  recordSuccess(): void {
    this.#heldAtMs = this.#nowMs();
    if (this.#causes.size === 0 || this.#heldAtMs - this.#failedAtMs < RECENT_MS) return;
    this.#causes.clear();
    this.#log.info({}, 'the ledger takes holds again');
  }

  recordSettled(): void {
    this.#settledAtMs = this.#nowMs();
  }
}
