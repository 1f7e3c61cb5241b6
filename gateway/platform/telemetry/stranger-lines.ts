import type { Logger } from 'pino';

const SECOND_MS = 1_000;

/**
 * Who guesses keys, or walks over paths, sends more requests than anybody serves, and a line for each would fill the operator's
 * disk. So many lines a second are let through; the rest is counted, and told in one.
 */
export class StrangerLines {
  readonly #logger: Logger;
  readonly #perSecondMax: number;
  #second = -1;
  #lines = 0;
  #leftOut = 0;

  constructor(logger: Logger, perSecondMax: number) {
    this.#logger = logger;
    this.#perSecondMax = perSecondMax;
  }

  /** Whether one more line about somebody unknown may be written now. */
  take(nowMs: number): boolean {
    const second = Math.floor(nowMs / SECOND_MS);
    if (second !== this.#second) {
      this.#second = second;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines <= this.#perSecondMax) return true;
    // Not unreferenced: a thread that ends tells what it has left out.
    if (this.#leftOut === 0) setTimeout(() => this.#tell(), SECOND_MS);
    this.#leftOut += 1;
    return false;
  }

  #tell(): void {
    this.#logger.warn(
      { requests: this.#leftOut },
      'requests that no known key sent have no line of their own: there were too many (STRANGER_LOG_LINES_MAX)',
    );
    this.#leftOut = 0;
  }
}
