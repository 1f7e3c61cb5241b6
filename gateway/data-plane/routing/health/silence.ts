import type { AttemptNumber } from './breaker.ts';

/**
 * The longest wait that counts. A model may think for minutes about a single request; several
 * requests that all wait this long are a sign.
 */
export const SILENCE_MS_MAX = 120_000;

/** Attempts that must wait in vain before a channel counts as unresponsive. */
const WAITING_MAX = 5;

/**
 * Notices a channel that takes requests and sends nothing. Whole replies have no time-out but the
 * total one, so an upstream that hangs fails after a quarter of an hour at the earliest. Replies
 * may well take that long: nothing is refused or cut off for it, other channels are tried first.
 */
export class Silence {
  /** The last attempt that had begun when the upstream last sent the head of a reply. */
  #lastBeforeHead: AttemptNumber = 0;
  /** Attempts in flight that have begun since then. */
  #waiting = 0;
  /** The time at which the channel becomes unresponsive; Infinity while fewer attempts wait. */
  #fromMs = Infinity;

  isOver(nowMs: number): boolean {
    return nowMs < this.#fromMs;
  }

  /** @param fromMs when the channel is unresponsive if no head of a reply has come by then */
  started(fromMs: number): void {
    this.#waiting += 1;
    if (this.#waiting === WAITING_MAX) this.#fromMs = fromMs;
  }

  /** @param latest the latest attempt that has begun */
  onHeaders(latest: AttemptNumber): void {
    this.#lastBeforeHead = latest;
    this.#waiting = 0;
    this.#fromMs = Infinity;
  }

  ended(attempt: AttemptNumber): void {
    if (attempt <= this.#lastBeforeHead) return;
    this.#waiting -= 1;
    if (this.#waiting < WAITING_MAX) this.#fromMs = Infinity;
  }
}
