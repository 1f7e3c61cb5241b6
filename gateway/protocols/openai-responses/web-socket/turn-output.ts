import { isOwnJsonObject, parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import { asBuffer } from '../../sse/as-buffer.ts';
import { readEvents } from '../../sse/read-events.ts';

const ITEM_DONE = 'response.output_item.done';
/** The events that end a response, and whether it can be continued. */
const ENDS: ReadonlyMap<string, boolean> = new Map([
  ['response.completed', true],
  ['response.incomplete', true],
  ['response.failed', false],
  ['error', false],
]);

/** Reads the events of one reply as frames, and collects the items that the model has written. */
export class TurnOutput {
  /** The id of the response once it has ended; '' if it cannot be continued; null before. */
  endedAs: string | null = null;
  /** JSON of the items, by their place in the output. */
  readonly #items = new Map<number, string>();

  /** Returns the JSON of each event. */
  read(events: string | Uint8Array): readonly Uint8Array[] {
    return readEvents(asBuffer(events)).map(({ name, data }) => {
      if (name === ITEM_DONE || ENDS.has(name) || name === '') this.#learn(data);
      return data;
    });
  }

  /** Returns the JSON of the items in their order, with commas between them. */
  items(): string {
    return [...this.#items]
      .sort(([one], [other]) => one - other)
      .map(([, json]) => json)
      .join(',');
  }

  #learn(data: Buffer): void {
    const event = parseOwnObject(data);
    if (event === undefined) return;
    const type = stringOf(event['type']);
    if (type === ITEM_DONE) {
      const { output_index: index, item } = event;
      if (typeof index === 'number') this.#add(index, item);
      return;
    }
    const canContinue = ENDS.get(type);
    if (canContinue === undefined) return;
    const { response } = event;
    const { id, output } = isOwnJsonObject(response) ? response : {};
    this.endedAs = canContinue ? stringOf(id) : '';
    if (!Array.isArray(output) || output.length === 0) return;
    this.#items.clear();
    for (const [index, item] of output.entries()) this.#add(index, item);
  }

  /** Upstreams refuse reasoning that they have not stored and cannot decrypt. */
  #add(index: number, item: unknown): void {
    if (!isOwnJsonObject(item)) return;
    const isUnreadable =
      item['type'] === 'reasoning' && typeof item['encrypted_content'] !== 'string';
    if (!isUnreadable) this.#items.set(index, JSON.stringify(item));
  }
}
