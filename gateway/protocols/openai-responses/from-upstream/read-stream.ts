import {
  isJsonObject,
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { EventReader } from '../../neutral-form/neutral-form.ts';
import type { NeutralEvent } from '../../neutral-form/reply.ts';
import { readUrlCitations } from '../../openai-family/url-citations.ts';
import type { FailureFinder } from '../../protocol.ts';
import { readItem, reasoningProof } from './read-reply.ts';
import { endReason } from '../wire/end-reason.ts';
import { formOf, isDoneMark } from '../../sse/reply-form.ts';
import { FAILURE_EVENTS, TERMINAL_EVENTS, typeOf } from '../wire/event-kinds.ts';
import { readResponseUsage } from '../usage.ts';

const OPEN_BRACE = 0x7b;
const ERROR_LETTERS_LOGGED = 200;
const NOTHING: readonly NeutralEvent[] = [];
/** Between the parts of a summary of reasoning. */
const PARAGRAPH = '\n\n';

/** Reads an upstream's stream of Responses. */
export function readStream(findFailure: FailureFinder): EventReader {
  return new ResponsesEventReader(findFailure);
}

/** An item of which something has come. */
interface SeenItem {
  /** The number of its call; -1 when it is none. */
  readonly call: number;
  hasDeltas: boolean;
  done: boolean;
}

class ResponsesEventReader implements EventReader {
  readonly #findFailure: FailureFinder;
  readonly #items = new Map<unknown, SeenItem>();
  #calls = 0;
  /** Characters of text so far, and before the open part: citations name positions in it. */
  #characters = 0;
  #partStart = 0;
  #ended = false;

  constructor(findFailure: FailureFinder) {
    this.#findFailure = findFailure;
  }

  read(name: string, data: Buffer): readonly NeutralEvent[] {
    // Heartbeats are no events.
    if (data[0] !== OPEN_BRACE && formOf(data) !== 'object') {
      if (FAILURE_EVENTS.has(name)) return [failure('an error event')];
      return isDoneMark(data) ? this.#endPlainly() : NOTHING;
    }
    const event = parseOwnObject(data);
    if (event === undefined) return [failure('an event is not a JSON object')];
    const type = typeOf(event, name);
    if (this.#ended) return usageEvents(event['response'] ?? event);
    if (FAILURE_EVENTS.has(type) || this.#findFailure(event) !== undefined) {
      return [failure(detailOf(event))];
    }
    if (TERMINAL_EVENTS.has(type)) return this.#terminal(event);
    return this.#read(type, event);
  }

  /** Without its terminal event a response is not whole. */
  close(): readonly NeutralEvent[] {
    return NOTHING;
  }

  #read(type: string, event: OwnJsonObject): readonly NeutralEvent[] {
    const { delta, output_index: index, item } = event;
    const text = stringOf(delta);
    switch (type) {
      case 'response.created': {
        const { response } = event;
        const id = isJsonObject(response) ? stringOf(response['id']) : '';
        return [{ type: 'start', id }, ...usageEvents(response)];
      }
      case 'response.in_progress':
        return usageEvents(event['response']);
      case 'response.content_part.added':
        this.#partStart = this.#characters;
        return NOTHING;
      case 'response.output_text.delta':
        this.#characters += text.length;
        return this.#piece(index, { type: 'text', text });
      case 'response.output_text.annotation.added':
        return readUrlCitations([event['annotation']], this.#partStart).map((citation) => ({
          type: 'citation',
          citation,
        }));
      case 'response.refusal.delta':
        return this.#piece(index, { type: 'refusal', text });
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
        return this.#piece(index, { type: 'reasoning', text });
      case 'response.reasoning_summary_part.added':
        return event['summary_index'] === 0
          ? NOTHING
          : this.#piece(index, { type: 'reasoning', text: PARAGRAPH });
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta': {
        const call = this.#items.get(index)?.call ?? -1;
        if (call === -1) return NOTHING;
        return this.#piece(index, { type: 'tool_input', index: call, text });
      }
      case 'response.function_call_arguments.done':
      case 'response.custom_tool_call_input.done':
        return this.#wholeInput(index, stringOf(event['arguments'] ?? event['input']));
      case 'response.output_item.added':
        return isOwnJsonObject(item) ? this.#added(index, item) : NOTHING;
      case 'response.output_item.done':
        return isOwnJsonObject(item) ? this.#done(index, item) : NOTHING;
      default:
        return NOTHING;
    }
  }

  #piece(
    index: unknown,
    event: Extract<NeutralEvent, { readonly text: string }>,
  ): readonly NeutralEvent[] {
    if (event.text === '') return NOTHING;
    this.#seen(index).hasDeltas = true;
    return [event];
  }

  /** The input of a call that has come without pieces; some servers do not repeat it afterwards. */
  #wholeInput(index: unknown, text: string): readonly NeutralEvent[] {
    const item = this.#items.get(index);
    if (item === undefined || item.call === -1 || item.hasDeltas || item.done) return NOTHING;
    return this.#piece(index, { type: 'tool_input', index: item.call, text });
  }

  #seen(index: unknown): SeenItem {
    let item = this.#items.get(index);
    if (item === undefined) {
      item = { call: -1, hasDeltas: false, done: false };
      this.#items.set(index, item);
    }
    return item;
  }

  #added(index: unknown, item: JsonObject): readonly NeutralEvent[] {
    const [part] = readItem(item);
    if (part?.type !== 'tool_call') {
      this.#seen(index);
      return NOTHING;
    }
    const call = this.#calls;
    this.#calls += 1;
    this.#items.set(index, { call, hasDeltas: false, done: false });
    const { id, name, freeForm } = part;
    return [{ type: 'tool_call', index: call, id, name, freeForm }];
  }

  /** The part of an item that its events have not contained. */
  #done(index: unknown, item: JsonObject): readonly NeutralEvent[] {
    const events: NeutralEvent[] = [];
    if (!this.#items.has(index)) events.push(...this.#added(index, item));
    const seen = this.#seen(index);
    if (seen.done) return NOTHING;
    seen.done = true;
    const proof = reasoningProof(item);
    if (!seen.hasDeltas) events.push(...this.#wholeItem(item, seen.call));
    if (item['type'] === 'reasoning' && proof !== undefined) {
      events.push({ type: 'reasoning_proof', proof });
    }
    return events;
  }

  #wholeItem(item: JsonObject, call: number): NeutralEvent[] {
    const events = wholeItem(item, { call, from: this.#characters });
    for (const event of events) {
      if (event.type === 'text') this.#characters += event.text.length;
    }
    return events;
  }

  /** A marker ends a whole reply, also where no terminal event has come. */
  #endPlainly(): readonly NeutralEvent[] {
    if (this.#ended || this.#items.size === 0) return NOTHING;
    this.#ended = true;
    return [{ type: 'end', reason: this.#calls > 0 ? 'tool_calls' : 'stop' }, { type: 'done' }];
  }

  #terminal(event: OwnJsonObject): readonly NeutralEvent[] {
    const { response } = event;
    if (!isOwnJsonObject(response)) return [failure('the last event has no response')];
    const events: NeutralEvent[] = [];
    const output: readonly unknown[] = Array.isArray(response['output']) ? response['output'] : [];
    // Some servers send no events of items at all, others do not end them.
    const isBare = this.#items.size === 0;
    for (const [index, item] of output.entries()) {
      const isLeft = isBare || this.#items.get(index)?.done === false;
      if (isLeft && isOwnJsonObject(item)) events.push(...this.#done(index, item));
    }
    this.#ended = true;
    events.push(...usageEvents(response));
    events.push({ type: 'end', reason: endReason(response, this.#calls > 0) }, { type: 'done' });
    return events;
  }
}

function usageEvents(response: unknown): readonly NeutralEvent[] {
  const usage = isOwnJsonObject(response) ? readResponseUsage(response) : null;
  return usage === null ? NOTHING : [{ type: 'usage', usage }];
}

function wholeItem(
  item: JsonObject,
  { call, from }: { readonly call: number; readonly from: number },
): NeutralEvent[] {
  const refusals = Array.isArray(item['content']) ? (item['content'] as unknown[]) : [];
  const events = readItem(item, from).flatMap((part): NeutralEvent[] => {
    if (part.type === 'tool_call') return [{ type: 'tool_input', index: call, text: part.input }];
    if (part.type === 'image') return [part];
    const { type, text } = part;
    const citations = part.type === 'text' ? (part.citations ?? []) : [];
    return [
      { type, text },
      ...citations.map((citation) => ({ type: 'citation', citation }) as const),
    ];
  });
  for (const part of refusals) {
    const text = isJsonObject(part) ? stringOf(part['refusal']) : '';
    if (text !== '') events.push({ type: 'refusal', text });
  }
  return events;
}

function failure(detail: string): NeutralEvent {
  return { type: 'failure', detail };
}

function detailOf(event: JsonObject): string {
  const { response } = event;
  const error = (isJsonObject(response) ? response['error'] : event['error']) ?? event;
  return `error event: ${JSON.stringify(error).slice(0, ERROR_LETTERS_LOGGED)}`;
}
