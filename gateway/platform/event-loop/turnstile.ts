/**
 * Lets so many through in one turn of the event loop; those that come after them wait, in order, for the turns to come.
 *
 * When a thread has fallen behind, the kernel hands it hundreds of requests in one turn. Taken up all at once they are in
 * memory together, at every step of their way: the garbage collector copies each of them several times, caches miss, and a
 * request costs twice as much just when there are too many. Whoever waits here holds no more than the bytes of a body.
 */
export class Turnstile {
  readonly #perTurn: number;
  #through = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /** Undefined when the way is free; else resolves when it is. */
  enter(): Promise<void> | undefined {
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
    // Once they are so many and no sooner, so that a thread with little to do is not woken for it.
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
