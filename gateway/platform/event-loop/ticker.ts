import { steadyNowMs } from '../clock/steady-clock.ts';
import { SwapRemoveList, type SwapRemoveMember } from './swap-remove-list.ts';

/** Something that has to look at the clock now and then: a request in flight. */
export interface Ticking extends SwapRemoveMember {
  tick(nowMs: number): void;
}

/**
 * One timer for everything that waits. A timer of its own for each request would cost more than its
 * keep-alive, total time-out and hold renewal are worth; once a second is exact enough for all
 * three.
 */
export class Ticker {
  readonly #ticking = new SwapRemoveList<Ticking>();
  readonly #timer: NodeJS.Timeout;

  constructor(everyMs = 1_000) {
    this.#timer = setInterval(() => {
      const nowMs = steadyNowMs();
      this.#ticking.forEach((item) => {
        item.tick(nowMs);
      });
    }, everyMs);
    this.#timer.unref();
  }

  add(item: Ticking): void {
    this.#ticking.add(item);
  }

  remove(item: Ticking): void {
    this.#ticking.remove(item);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
