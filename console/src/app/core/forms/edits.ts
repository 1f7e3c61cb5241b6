/**
 * Whether what a page edits differs from what was last saved. Edits that were taken back are none.
 */
export class Edits {
  readonly #read: () => unknown;
  #saved: string;

  constructor(read: () => unknown) {
    this.#read = read;
    this.#saved = this.snapshot();
  }

  /** What stands there now, to be handed to `saved` when the server has it. */
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
