const DELAY_MS_MIN = 50;
const DELAY_MS_MAX = 5_000;
const TICK_MS = 50;
/** Calls repeated at the same time: a ledger that comes back is not met by everything at once. */
const AT_ONCE_MAX = 500;

interface Entry<Item> {
  readonly item: Item;
  delayMs: number;
  dueAtMs: number;
}

export interface RetryQueueOptions<Item> {
  readonly entriesMax: number;
  /** True when the item is done. Never rejects. */
  readonly attempt: (item: Item) => Promise<boolean>;
}

/**
 * Repeats items until they succeed, each after a delay that doubles from 50 ms to 5 s. One timer
 * for all.
 */
export class RetryQueue<Item> {
  readonly #options: RetryQueueOptions<Item>;
  #waiting: Entry<Item>[] = [];
  readonly #trying = new Set<Entry<Item>>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: RetryQueueOptions<Item>) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.length + this.#trying.size;
  }

  /** False when the queue is full or stopped; the item is then not taken. */
  add(item: Item): boolean {
    if (this.#stopped || this.size >= this.#options.entriesMax) return false;
    this.#waiting.push({ item, delayMs: DELAY_MS_MIN, dueAtMs: performance.now() + DELAY_MS_MIN });
    this.#wake();
    return true;
  }

  /**
   * Repeats everything without waiting for delays, for at most `timeoutMs`; returns how many are
   * left.
   */
  async flush(timeoutMs: number): Promise<number> {
    const endMs = performance.now() + timeoutMs;
    while (this.size > 0 && performance.now() < endMs) {
      for (const entry of this.#waiting) entry.dueAtMs = 0;
      this.#tick();
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
    return this.size;
  }

  /**
   * Stops for good: nothing is retried, and no timer keeps the thread from ending. Returns
   * what is left, also that which is being tried just now: it may succeed yet, and no one waits for
   * it.
   */
  stop(): Item[] {
    this.#stopped = true;
    this.#rest();
    const left = [...this.#trying, ...this.#waiting].map(({ item }) => item);
    this.#trying.clear();
    this.#waiting = [];
    return left;
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #wake(): void {
    if (!this.#stopped) this.#timer ??= setInterval(this.#tick, TICK_MS);
  }

  readonly #tick = (): void => {
    const nowMs = performance.now();
    const room = AT_ONCE_MAX - this.#trying.size;
    const due: Entry<Item>[] = [];
    const waiting: Entry<Item>[] = [];
    for (const entry of this.#waiting) {
      (entry.dueAtMs <= nowMs && due.length < room ? due : waiting).push(entry);
    }
    this.#waiting = waiting;
    for (const entry of due) void this.#try(entry);
    if (this.size === 0) this.#rest();
  };

  async #try(entry: Entry<Item>): Promise<void> {
    this.#trying.add(entry);
    const done = await this.#options.attempt(entry.item);
    this.#trying.delete(entry);
    if (done || this.#stopped) return;
    entry.delayMs = Math.min(entry.delayMs * 2, DELAY_MS_MAX);
    entry.dueAtMs = performance.now() + entry.delayMs;
    this.#waiting.push(entry);
    this.#wake();
  }
}
