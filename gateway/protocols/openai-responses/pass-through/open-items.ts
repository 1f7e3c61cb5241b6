import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';

/** The status of an item: `completed` if all of it was delivered. */
export type EndStatus = 'completed' | 'incomplete';

interface OpenItem {
  readonly item: OwnJsonObject;
  /** Its beginning in all that was delivered, and that of its text behind its name. */
  readonly start: number;
  readonly textStart: number;
}

/** An event without its number. */
type ItemEvent = readonly [type: string, fields: OwnJsonObject];

/** The end of an item that the upstream has begun and will not end. */
interface ItemEnd {
  readonly outputIndex: number;
  readonly item: OwnJsonObject;
  /** The events before `response.output_item.done`. */
  readonly events: readonly ItemEvent[];
}

/** The items of a response: those that are complete, as they came, and those that are not yet. */
export class OpenItems {
  readonly #open = new Map<number, OpenItem>();
  readonly #done: Buffer[] = [];

  added(
    { output_index: index, item }: OwnJsonObject,
    { start, textStart }: Pick<OpenItem, 'start' | 'textStart'>,
  ): void {
    if (typeof index === 'number' && isOwnJsonObject(item)) {
      this.#open.set(index, { item, start, textStart });
    }
  }

  /** @param data the event's JSON, which is copied */
  done({ output_index: index }: OwnJsonObject, data: Buffer): void {
    if (typeof index === 'number') this.#open.delete(index);
    this.#done.push(Buffer.from(data));
  }

  /** Returns the beginning of an item's text; undefined if the item is not open. */
  textStart(index: unknown): number | undefined {
    return typeof index === 'number' ? this.#open.get(index)?.textStart : undefined;
  }

  /** Reports whether an item is open, or the final output leaves out those that are complete. */
  lacksAny(output: unknown): boolean {
    const isEmpty = !Array.isArray(output) || output.length === 0;
    return this.#open.size > 0 || (isEmpty && this.#done.length > 0);
  }

  /** The complete items, in the order in which they were completed. */
  output(): unknown[] {
    return this.#done.map((data) => {
      const event = JSON.parse(data.toString('utf8')) as OwnJsonObject;
      return event['item'];
    });
  }

  /**
   * Ends every open item with what was delivered of it, and returns the events of that.
   * @param output the upstream's final output, if it has one: its items are whole
   */
  endAll(deliveredText: string, status: EndStatus, output?: unknown): ItemEvent[] {
    const whole = Array.isArray(output) ? output.filter(isOwnJsonObject) : [];
    const open = [...this.#open].sort(([one], [other]) => one - other);
    this.#open.clear();
    const ends = open.map(([outputIndex, { item, textStart }], position) => {
      const { id } = item;
      const final = whole.find((one) => typeof id === 'string' && one['id'] === id);
      if (final !== undefined) return { outputIndex, item: final, events: [] };
      const next = open[position + 1]?.[1].start;
      return endOf(outputIndex, { ...item, status }, deliveredText.slice(textStart, next));
    });
    for (const { item } of ends) this.#done.push(Buffer.from(JSON.stringify({ item })));
    return ends.flatMap(({ outputIndex, item, events }) => [
      ...events,
      ['response.output_item.done', { output_index: outputIndex, item }],
    ]);
  }
}

function endOf(outputIndex: number, begun: OwnJsonObject, text: string): ItemEnd {
  const id = stringOf(begun['id']);
  const at = { item_id: id, output_index: outputIndex };
  const item: OwnJsonObject = { ...begun };
  switch (begun['type']) {
    case 'message': {
      const part = { type: 'output_text', text, annotations: [], logprobs: [] };
      const place = { ...at, content_index: 0 };
      if (text === '') return { outputIndex, item, events: [] };
      item['content'] = [part];
      return {
        outputIndex,
        item,
        events: [
          ['response.output_text.done', { ...place, text, logprobs: [] }],
          ['response.content_part.done', { ...place, part }],
        ],
      };
    }
    case 'function_call':
      item['arguments'] = text;
      return {
        outputIndex,
        item,
        events: [['response.function_call_arguments.done', { ...at, arguments: text }]],
      };
    case 'custom_tool_call':
      item['input'] = text;
      return {
        outputIndex,
        item,
        events: [['response.custom_tool_call_input.done', { ...at, input: text }]],
      };
    default:
      return { outputIndex, item, events: [] };
  }
}
