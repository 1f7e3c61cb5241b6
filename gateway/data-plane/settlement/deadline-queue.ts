import {
  SwapRemoveList,
  type SwapRemoveMember,
} from '../../platform/event-loop/swap-remove-list.ts';

export interface Deadline extends SwapRemoveMember {
  readonly atMs: number;
  readonly expire: () => void;
}

const TICKS_PER_WAIT = 4;
const TICK_MS_MIN = 5;

/**
 * Deadlines of the same length on one timer: they end in the order in which they began. A timer for
 * each of thousands of settles a second would cost more than the settles. Exact to a quarter of the
 * wait.
 *
 * An awaited reply removes its deadline at once: until the next tick, everything it references
 * would survive a collection or two of V8's young generation, and copying that cost more than
 * anything else in a request.
 */
export class DeadlineQueue {
  readonly #waitMs: number;
  readonly #waiting = new SwapRemoveList<Deadline>();
  #timer: NodeJS.Timeout | undefined;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  add(expire: () => void): Deadline {
    const deadline = { place: -1, atMs: performance.now() + this.#waitMs, expire };
    this.#waiting.add(deadline);
    this.#timer ??= setInterval(this.#tick, Math.max(TICK_MS_MIN, this.#waitMs / TICKS_PER_WAIT));
    return deadline;
  }

  /** The wait has ended otherwise. */
  remove(deadline: Deadline): void {
    this.#waiting.remove(deadline);
  }

  /** Ends every wait at once. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#waiting.forEach((deadline) => {
      this.#expire(deadline);
    });
  }

  readonly #tick = (): void => {
    const nowMs = performance.now();
    this.#waiting.forEach((deadline) => {
      if (deadline.atMs <= nowMs) this.#expire(deadline);
    });
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  };

  #expire(deadline: Deadline): void {
    this.#waiting.remove(deadline);
    deadline.expire();
  }
}
