import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import { maskId } from '../../fields/mask-id.ts';
import { strip, type Shapes } from '../../fields/shape.ts';

/** Takes out of replies and events what shows who serves them. */
export class ReplyCloser {
  readonly #publicModel: string;
  readonly #passesAll: boolean;
  /** The upstream's name of the model; '' until it has sent one. */
  #upstreamModel = '';

  /** @param passesAll fields that are not known pass, too */
  constructor(publicModel: string, passesAll: boolean) {
    this.#publicModel = publicModel;
    this.#passesAll = passesAll;
  }

  /** @returns whether an event or message, which is changed in place, differs from what came */
  close(received: OwnJsonObject, known: Shapes): boolean {
    const changed = !this.#passesAll && strip(received, known);
    const { message = received, usage } = received;
    const named = isOwnJsonObject(message) && this.#close(message);
    return this.#nameIterations(usage) || named || changed;
  }

  #close(message: OwnJsonObject): boolean {
    const { id, model, usage } = message;
    if (typeof model === 'string') this.#upstreamModel = model;
    const changed = this.#nameIterations(usage);
    const masked = typeof id === 'string' ? maskId(id, 'msg_') : id;
    if (masked === id) return changed;
    message['id'] = masked;
    return true;
  }

  /** Each sampling of a reply is reported with the model that made it. */
  #nameIterations(usage: unknown): boolean {
    const iterations = isOwnJsonObject(usage) ? usage['iterations'] : undefined;
    if (!Array.isArray(iterations) || this.#upstreamModel === this.#publicModel) return false;
    let changed = false;
    for (const iteration of iterations as unknown[]) {
      if (!isOwnJsonObject(iteration) || iteration['model'] !== this.#upstreamModel) continue;
      iteration['model'] = this.#publicModel;
      changed = true;
    }
    return changed;
  }
}
