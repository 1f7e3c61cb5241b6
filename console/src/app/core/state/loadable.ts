import { computed, signal, type Signal } from '@angular/core';
import { failureOf, type Failure } from '../api/api-failure';

/**
 * Something a page shows that comes from the server. While it is loaded again the former value
 * stays, so that nothing flickers; an answer that was overtaken by a later request is dropped.
 */
export class Loadable<Value> {
  readonly #fetch: () => Promise<Value>;
  readonly #value = signal<Value | undefined>(undefined);
  readonly #failure = signal<Failure | undefined>(undefined);
  readonly #loading = signal(false);
  #turn = 0;

  readonly value: Signal<Value | undefined> = this.#value.asReadonly();
  readonly failure: Signal<Failure | undefined> = this.#failure.asReadonly();
  readonly loading: Signal<boolean> = this.#loading.asReadonly();
  /** Nothing to show yet, and nothing went wrong: the time of skeletons. */
  readonly waiting = computed(() => this.#value() === undefined && this.#failure() === undefined);

  constructor(fetch: () => Promise<Value>) {
    this.#fetch = fetch;
  }

  async load(): Promise<void> {
    const turn = ++this.#turn;
    this.#loading.set(true);
    try {
      const value = await this.#fetch();
      if (turn !== this.#turn) return;
      this.#value.set(value);
      this.#failure.set(undefined);
    } catch (thrown) {
      if (turn === this.#turn) this.#failure.set(failureOf(thrown));
    } finally {
      if (turn === this.#turn) this.#loading.set(false);
    }
  }

  /**
   * For timers. A server that needs longer than the timer would have each of its answers overtaken
   * by the next question, and the page would never show any.
   */
  async loadWhenIdle(): Promise<void> {
    if (!this.#loading()) await this.load();
  }

  /** Puts a value there that is known without asking, such as the reply to a change. */
  set(value: Value): void {
    this.#turn += 1;
    this.#value.set(value);
    this.#failure.set(undefined);
    this.#loading.set(false);
  }

  /** Forgets, so that skeletons show again: for a page that now shows something else. */
  clear(): void {
    this.#turn += 1;
    this.#value.set(undefined);
    this.#failure.set(undefined);
    this.#loading.set(false);
  }
}
