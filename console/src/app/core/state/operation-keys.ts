import { ApiFailure, failureOf, type Failure } from '../api/api-failure';
import { randomId } from './random-id';

/**
 * The Idempotency-Keys of acts of a person. One whose answer was lost may have been done: its key is kept for the same
 * content, so that a repeat, also in a dialog that was opened anew, is no second purchase.
 */
export class OperationKeys {
  readonly #make: () => string;
  /** By content: the acts of which nobody knows whether they were done. */
  readonly #unsure = new Map<string, string>();

  constructor(make: () => string = randomId) {
    this.#make = make;
  }

  /** Acts under the key of this content: what the request says, and to whom. */
  async act<Reply>(content: object, send: (key: string) => Promise<Reply>): Promise<Reply> {
    const text = JSON.stringify(content);
    const key = this.#unsure.get(text) ?? this.#make();
    try {
      const reply = await send(key);
      this.#unsure.delete(text);
      return reply;
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (!mayBeDone(failure)) throw thrown;
      this.#unsure.set(text, key);
      throw new ApiFailure({ ...failure, mayBeDone: true });
    }
  }

  /** Whether something may have been done of which no page knows. */
  unsure(): boolean {
    return this.#unsure.size > 0;
  }

  forget(): void {
    this.#unsure.clear();
  }
}

/** A refusal says that nothing was done; no answer, a broken one, and one that something broke say neither. */
function mayBeDone({ code, status }: Failure): boolean {
  return status < 400 || status >= 500 || code === 'idempotency_in_progress';
}
