import type { Logger } from 'pino';

const SECOND_MS = 1_000;

/**
 * Rate-limits log lines for unauthenticated requests, so that key guessing and path scans cannot
 * fill the disk. Lines beyond the limit are counted and reported in one.
 */
export class UnauthenticatedLogLimiter {
  readonly #logger: Logger;
  readonly #perSecondMax: number;
  #second = -1;
  #lines = 0;
  #leftOut = 0;

  constructor(logger: Logger, perSecondMax: number) {
    this.#logger = logger;
    this.#perSecondMax = perSecondMax;
  }

  /** Returns whether one more line may be written now. */
  take(nowMs: number): boolean {
    const second = Math.floor(nowMs / SECOND_MS);
    if (second !== this.#second) {
      this.#second = second;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines <= this.#perSecondMax) return true;
    // Referenced: a thread that ends reports what it has left out.
    if (this.#leftOut === 0) setTimeout(() => this.#report(), SECOND_MS);
    this.#leftOut += 1;
    return false;
  }

  #report(): void {
    this.#logger.warn(
      { requests: this.#leftOut },
      'requests without a known key have no line of their own: there were too many (UNAUTHENTICATED_LOG_LINES_PER_SECOND)',
    );
    this.#leftOut = 0;
  }
}
