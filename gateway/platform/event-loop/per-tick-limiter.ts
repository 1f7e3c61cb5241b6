/**
 * Admits a fixed number of callers per tick of the event loop. The others wait in order.
 *
 * A thread that has fallen behind receives hundreds of requests in one tick. Handled together, all
 * of them are in memory at every step: the garbage collector copies each several times, caches
 * miss, and a request costs twice as much under overload. A request that waits here holds only its
 * body.
 */
export class PerTickLimiter {
  readonly #perTurn: number;
  #through = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /** Returns undefined when the caller may go on, else a promise that resolves when it may. */
  acquire(): Promise<void> | undefined {
    if (this.#through < this.#perTurn) {
      this.#letThrough();
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #letThrough(): void {
    this.#through += 1;
    // Only when the limit is reached: a thread with little to do is not woken for it.
    if (this.#through === this.#perTurn) setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#through = 0;
    for (const resolve of this.#waiting.splice(0, this.#perTurn)) {
      this.#letThrough();
      resolve();
    }
  };
}
