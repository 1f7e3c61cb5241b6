import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { eventText } from '../to-client/render-error.ts';

/** Numbers the events of a stream. */
export class EventNumbers {
  #next = 0;

  event(type: string, fields: OwnJsonObject): string {
    const number = this.#next;
    this.#next += 1;
    return eventText(type, number, fields);
  }
}

/** Parts whose text comes in pieces: the kind of the events, and the member. */
const PART_EVENTS: ReadonlyMap<unknown, readonly [kind: string, field: string]> = new Map([
  ['output_text', ['output_text', 'text']],
  ['refusal', ['refusal', 'refusal']],
  ['reasoning_text', ['reasoning_text', 'text']],
]);

/** The same of the text of a call. */
const CALL_EVENTS: ReadonlyMap<unknown, readonly [kind: string, field: string]> = new Map([
  ['function_call', ['function_call_arguments', 'arguments']],
  ['custom_tool_call', ['custom_tool_call_input', 'input']],
]);

/** The events by which one item of a whole output would have come. */
export function itemEvents(
  item: OwnJsonObject,
  outputIndex: number,
  numbers: EventNumbers,
): string {
  const id = stringOf(item['id']) || `item_${outputIndex}`;
  const whole = { ...item, id };
  const place = { item_id: id, output_index: outputIndex };
  const events = [
    numbers.event('response.output_item.added', {
      output_index: outputIndex,
      item: begun(whole),
    }),
  ];
  const call = CALL_EVENTS.get(item['type']);
  if (call !== undefined) events.push(textEvents(call, item, place, numbers));
  for (const [index, part] of partsOf(item['summary']).entries()) {
    events.push(summaryEvents(part, { ...place, summary_index: index }, numbers));
  }
  for (const [index, part] of partsOf(item['content']).entries()) {
    events.push(partEvents(part, { ...place, content_index: index }, numbers));
  }
  events.push(
    numbers.event('response.output_item.done', { output_index: outputIndex, item: whole }),
  );
  return events.join('');
}

/** An item of which nothing has come yet. */
function begun(item: OwnJsonObject): OwnJsonObject {
  const copy: OwnJsonObject = { ...item };
  if (typeof copy['status'] === 'string') copy['status'] = 'in_progress';
  if (Array.isArray(copy['content'])) copy['content'] = [];
  if (Array.isArray(copy['summary'])) copy['summary'] = [];
  const [, field] = CALL_EVENTS.get(item['type']) ?? [];
  if (field !== undefined) copy[field] = '';
  return copy;
}

function partEvents(part: OwnJsonObject, place: OwnJsonObject, numbers: EventNumbers): string {
  const events = PART_EVENTS.get(part['type']);
  const empty = events === undefined ? part : { ...part, [events[1]]: '' };
  return (
    numbers.event('response.content_part.added', { ...place, part: empty }) +
    (events === undefined ? '' : textEvents(events, part, place, numbers)) +
    numbers.event('response.content_part.done', { ...place, part })
  );
}

function summaryEvents(part: OwnJsonObject, place: OwnJsonObject, numbers: EventNumbers): string {
  return (
    numbers.event('response.reasoning_summary_part.added', {
      ...place,
      part: { ...part, text: '' },
    }) +
    textEvents(['reasoning_summary_text', 'text'], part, place, numbers) +
    numbers.event('response.reasoning_summary_part.done', { ...place, part })
  );
}

function textEvents(
  [kind, field]: readonly [string, string],
  owner: OwnJsonObject,
  place: OwnJsonObject,
  numbers: EventNumbers,
): string {
  const text = stringOf(owner[field]);
  return (
    numbers.event(`response.${kind}.delta`, { ...place, delta: text }) +
    numbers.event(`response.${kind}.done`, { ...place, [field]: text })
  );
}

function partsOf(parts: unknown): readonly OwnJsonObject[] {
  return Array.isArray(parts) ? parts.filter(isOwnJsonObject) : [];
}
