import { ApiFailure, failureOf, type Failure } from '../api/api-failure';
import { randomId } from './random-id';
import { UnsureActs } from './unsure-acts';

/**
 * The Idempotency-Keys of acts of a person. One whose answer was lost may have been done: its key is kept for the same
 * content, so that a repeat, also in a dialog that was opened anew or after a reload of the page, is no second purchase.
 */
export class OperationKeys {
  readonly #make: () => string;
  readonly #unsure: UnsureActs;

  constructor(make: () => string = randomId, unsure = new UnsureActs()) {
    this.#make = make;
    this.#unsure = unsure;
  }

  /** Acts under the key of this content: what the request says, and to whom. */
  async act<Reply>(content: object, send: (key: string) => Promise<Reply>): Promise<Reply> {
    const text = JSON.stringify(content);
    const known = this.#unsure.keyOf(text);
    const key = known ?? this.#make();
    // Before it is sent: whoever loads the page anew does not wait for the answer.
    if (known === undefined) this.#unsure.keep(text, key);
    try {
      const reply = await send(key);
      this.#unsure.drop(text);
      return reply;
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (mayBeDone(failure)) throw new ApiFailure({ ...failure, mayBeDone: true });
      // Of an earlier try, whose answer was lost, a refusal says nothing.
      if (known === undefined) this.#unsure.drop(text);
      throw thrown;
    }
  }

  /** Whether something may have been done of which no page knows. */
  unsure(): boolean {
    return this.#unsure.any();
  }

  forget(): void {
    this.#unsure.forget();
  }
}

/** A refusal says that nothing was done; no answer, a broken one, and one that something broke say neither. */
function mayBeDone({ code, status }: Failure): boolean {
  return status < 400 || status >= 500 || code === 'idempotency_in_progress';
}
