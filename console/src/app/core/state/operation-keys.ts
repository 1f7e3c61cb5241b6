import { ApiFailure, failureOf, type Failure } from '../api/api-failure';
import { randomId } from './random-id';
import { PendingOperations } from './pending-operations';

/**
 * The Idempotency-Keys of acts of a person. One whose answer was lost may have been done: its key
 * is kept for the same content, so that a repeat, also in a dialog that was opened again or after a
 * reload of the page, is no second purchase.
 */
export class OperationKeys {
  readonly #make: () => string;
  readonly #pending: PendingOperations;

  constructor(make: () => string = randomId, pending = new PendingOperations()) {
    this.#make = make;
    this.#pending = pending;
  }

  /** Acts under the key of this content: what the request says, and to whom. */
  async act<Reply>(content: object, send: (key: string) => Promise<Reply>): Promise<Reply> {
    const text = JSON.stringify(content);
    const known = this.#pending.keyOf(text);
    const key = known ?? this.#make();
    // Before it is sent: a user who reloads the page does not wait for the answer.
    if (known === undefined) this.#pending.keep(text, key);
    try {
      const reply = await send(key);
      this.#pending.drop(text);
      return reply;
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (mayBeDone(failure)) throw new ApiFailure({ ...failure, mayBeDone: true });
      // Of an earlier try, whose answer was lost, a refusal says nothing.
      if (known === undefined) this.#pending.drop(text);
      throw thrown;
    }
  }

  /** Reports whether an act may have been done that no page knows of. */
  hasPending(): boolean {
    return this.#pending.any();
  }

  forget(): void {
    this.#pending.forget();
  }
}

/**
 * A refusal says that nothing was done, and so does 501: the installation cannot do it. No answer,
 * a broken one, and one that something broke say neither.
 */
function mayBeDone({ code, status }: Failure): boolean {
  if (status === 501) return false;
  return status < 400 || status >= 500 || code === 'idempotency_in_progress';
}
