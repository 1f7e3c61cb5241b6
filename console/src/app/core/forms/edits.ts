/**
 * Tracks whether the data that a page edits differs from what was last saved. Edits that were
 * undone are none.
 */
export class Edits {
  readonly #read: () => unknown;
  #saved: string;

  constructor(read: () => unknown) {
    this.#read = read;
    this.#saved = this.snapshot();
  }

  /** Returns the current data, to be passed to `saved` once the server has it. */
  snapshot(): string {
    return JSON.stringify(this.#read());
  }

  /** Edits made while it was on its way stay edits. */
  saved(snapshot = this.snapshot()): void {
    this.#saved = snapshot;
  }

  any(): boolean {
    return this.snapshot() !== this.#saved;
  }
}
