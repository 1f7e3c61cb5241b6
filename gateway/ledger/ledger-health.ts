import type { LedgerLog } from './ledger-log.ts';

/**
 * Older failures are ignored: an instance that the load balancer has removed gets no request whose
 * hold could succeed.
 */
const RECENT_MS = 10_000;
/** A hold that succeeded this recently shows that the ledger works, even if others fail. */
const HELD_MS = 2_000;
/** Causes logged per outage. A store's message may differ with every request. */
const CAUSES_LOGGED_MAX = 8;

/**
 * Whether the ledger accepts holds. A store that answers pings may refuse every write, because its
 * disk or memory is full or it is read-only; without this, clients get 503 and the log shows
 * nothing.
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
  #failedLast = false;

  /** @param nowMs a monotonic clock */
  constructor(log: LedgerLog, nowMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** All recent holds have failed. */
  get isFailing(): boolean {
    return this.#failedLast && !this.isWorking && this.#nowMs() - this.#failedAtMs < RECENT_MS;
  }

  /** A hold has succeeded recently. */
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
