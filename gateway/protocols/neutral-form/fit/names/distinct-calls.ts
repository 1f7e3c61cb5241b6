import { newCallId, plainCallId } from '../../call-id.ts';

/**
 * Gives calls of a reply ids that no earlier call has. Clients find the call of a result by its id
 * alone: with an id that came before, an agent takes an old call for answered and asks for ever.
 */
export class DistinctCalls {
  readonly #taken: Set<string>;

  /** @param callIds those of the conversation, as the client has them */
  constructor(callIds: ReadonlySet<string> = new Set()) {
    this.#taken = new Set(callIds);
  }

  /** The same id, or a new one. A client's protocol may have made a plain one of it. */
  idOf(id: string): string {
    const isTaken = this.#taken.has(id) || this.#taken.has(plainCallId(id));
    const distinct = id === '' || isTaken ? newCallId() : id;
    this.#taken.add(distinct);
    return distinct;
  }
}
