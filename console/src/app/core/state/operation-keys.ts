import { randomId } from './random-id';

/**
 * The Idempotency-Key of one act of a person. The same while the content stays the same, so that a click
 * after a failed or lost answer repeats the purchase instead of making a second one; a new one as soon as
 * the content differs or the act has succeeded.
 */
export class OperationKey {
  readonly #make: () => string;
  #content: string | undefined;
  #key = '';

  constructor(make: () => string = randomId) {
    this.#make = make;
  }

  for(content: unknown): string {
    const text = JSON.stringify(content);
    if (text !== this.#content) {
      this.#content = text;
      this.#key = this.#make();
    }
    return this.#key;
  }

  /** The act is done; the next one is another. */
  done(): void {
    this.#content = undefined;
  }
}
