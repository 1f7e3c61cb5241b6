export interface BoundedQueueOptions {
  /** Tasks that run at once; the others wait in order. */
  readonly atOnce: number;
  /** Tasks that may wait; beyond it one is refused at once. */
  readonly waitingMax: number;
  /** A caller without an answer after this time gets none; a task that has not begun never does. */
  readonly deadlineMs: number;
}

/** Lets only so many tasks of one kind run side by side. */
export class BoundedQueue {
  readonly #options: BoundedQueueOptions;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(options: BoundedQueueOptions) {
    this.#options = options;
  }

  /** Rejects with what the task rejects with, when too many wait, and after the deadline. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const { atOnce, waitingMax, deadlineMs } = this.#options;
    if (this.#running >= atOnce && this.#waiting.size >= waitingMax) {
      return Promise.reject(new Error(`${waitingMax} tasks of this kind are waiting`));
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        this.#running += 1;
        void task()
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(deadline);
            this.#running -= 1;
            this.#beginNext();
          });
      };
      const deadline = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(new Error(`no answer after ${deadlineMs} ms`));
      }, deadlineMs);
      this.#waiting.add(begin);
      if (this.#running < atOnce) this.#beginNext();
    });
  }

  #beginNext(): void {
    const [begin] = this.#waiting;
    if (begin === undefined) return;
    this.#waiting.delete(begin);
    begin();
  }
}
