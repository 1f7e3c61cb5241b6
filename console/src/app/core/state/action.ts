import { signal, type Signal } from '@angular/core';
import { failureOf, type Failure } from '../api/api-failure';

/** Something a person sets off. One at a time: a second click while the first runs does nothing. */
export class Action {
  readonly #busy = signal(false);
  readonly #failure = signal<Failure | undefined>(undefined);

  readonly busy: Signal<boolean> = this.#busy.asReadonly();
  readonly failure: Signal<Failure | undefined> = this.#failure.asReadonly();

  /** True when the work was done, false when it failed (see `failure`) or was already running. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    if (this.#busy()) return false;
    this.#busy.set(true);
    this.#failure.set(undefined);
    try {
      await work();
      return true;
    } catch (thrown) {
      this.#failure.set(failureOf(thrown));
      return false;
    } finally {
      this.#busy.set(false);
    }
  }

  clear(): void {
    this.#failure.set(undefined);
  }
}
