import type { MinterClock } from '../../../gateway/data-plane/credentials/credential-minter.ts';

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** A clock that goes on when a test says so. */
export class ManualClock implements MinterClock {
  #nowMs: number;
  readonly #timers = new Set<Timer>();

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Runs what is due meanwhile, in order. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#timers].toSorted((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.#timers.delete(next);
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = untilMs;
  }
}
