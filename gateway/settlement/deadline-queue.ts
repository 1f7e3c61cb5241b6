/** Set `over` when the wait has ended otherwise. */
export interface Deadline {
  over: boolean;
  readonly atMs: number;
  readonly expire: () => void;
}

const TICKS_PER_WAIT = 4;
const TICK_MS_MIN = 5;

/**
 * Deadlines that all lie the same time ahead, on one timer: they end in the order in which they began. A timer for each of
 * thousands of settles a second would cost more than the settles. Exact to a quarter of the wait.
 */
export class DeadlineQueue {
  readonly #waitMs: number;
  readonly #waiting: Deadline[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  add(expire: () => void): Deadline {
    const deadline = { over: false, atMs: performance.now() + this.#waitMs, expire };
    this.#waiting.push(deadline);
    this.#timer ??= setInterval(this.#tick, Math.max(TICK_MS_MIN, this.#waitMs / TICKS_PER_WAIT));
    return deadline;
  }

  /** Ends every wait at once. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const deadline of this.#waiting.splice(0)) if (!deadline.over) deadline.expire();
  }

  readonly #tick = (): void => {
    const nowMs = performance.now();
    let ended = 0;
    for (const deadline of this.#waiting) {
      if (!deadline.over) {
        if (deadline.atMs > nowMs) break;
        deadline.expire();
      }
      ended += 1;
    }
    this.#waiting.splice(0, ended);
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  };
}
