import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { EventReader } from '../../neutral-form/neutral-form.ts';
import type { NeutralEvent } from '../../neutral-form/reply.ts';
import type { AssistantPart } from '../../neutral-form/request.ts';
import type { FailureFinder } from '../../protocol.ts';
import { DONE_MARK } from '../../sse/reply-form.ts';
import { fieldOf } from '../fields.ts';
import { endReason } from '../wire/end-reason.ts';
import { candidatesOf, partsOf } from './parts.ts';
import { readGrounding } from '../wire/grounding.ts';
import { readPart } from '../wire/read-parts.ts';
import { readUsage, searchesOf } from '../usage.ts';

const ERROR_LETTERS_LOGGED = 200;
const NOTHING: readonly NeutralEvent[] = [];

/** Reads an upstream's Gemini stream. */
export function readStream(findFailure: FailureFinder): EventReader {
  return new GeminiEventReader(findFailure);
}

/**
 * Reads the first of several candidates. States: open -> ended (its finishReason came; content
 * behind it is read as well, and ended again).
 */
class GeminiEventReader implements EventReader {
  readonly #findFailure: FailureFinder;
  readonly #ids = new Set<string>();
  #begun = false;
  #ended = false;
  #searches = 0;
  /** All text so far: the places of citations are bytes of it. */
  #text = '';
  /** Each chunk may repeat those before. */
  readonly #cited = new Set<string>();

  constructor(findFailure: FailureFinder) {
    this.#findFailure = findFailure;
  }

  read(name: string, data: Buffer): readonly NeutralEvent[] {
    const text = data.toString('utf8').trim();
    if (text === DONE_MARK) return this.#endAtMark();
    // Heartbeats are no events. An array is how Google reports errors elsewhere.
    if (!text.startsWith('{') && !text.startsWith('[') && name !== 'error') return NOTHING;
    const chunk = parseOwnObject(data);
    const detail = chunk === undefined ? text : this.#errorIn(chunk);
    if (chunk === undefined || detail !== undefined) return [failure(detail)];
    return this.#read(chunk);
  }

  /** Gemini has no terminal event: the stream ends. */
  close(): readonly NeutralEvent[] {
    return this.#ended ? [{ type: 'done' }] : NOTHING;
  }

  /** The mark ends a whole reply: servers that give no reason mean a plain end. */
  #endAtMark(): readonly NeutralEvent[] {
    if (this.#ended || !this.#begun) return [{ type: 'done' }];
    this.#ended = true;
    const reason = this.#ids.size > 0 ? 'tool_calls' : 'stop';
    return [{ type: 'end', reason }, { type: 'done' }];
  }

  #read(chunk: OwnJsonObject): readonly NeutralEvent[] {
    const events: NeutralEvent[] = [];
    if (!this.#begun) events.push({ type: 'start', id: stringOf(fieldOf(chunk, 'responseId')) });
    this.#begun = true;
    const candidate = candidatesOf(chunk).find(({ index }) => index === undefined || index === 0);
    const parts = candidate === undefined ? [] : partsOf(candidate);
    for (const part of parts) {
      const index = this.#ids.size;
      const read = readPart(part, this.#ids);
      if (read?.type === 'text') this.#text += read.text;
      if (read !== undefined) events.push(...eventsOf(read, index));
    }
    if (candidate !== undefined) events.push(...this.#citations(candidate));
    if (candidate !== undefined) {
      this.#searches = Math.max(this.#searches, searchesOf(candidate, chunk['modelVersion']));
    }
    const usage = readUsage(fieldOf(chunk, 'usageMetadata'), this.#searches);
    if (usage !== undefined) events.push({ type: 'usage', usage });
    if (candidate !== undefined) this.#end(candidate, events);
    return events;
  }

  *#citations(candidate: OwnJsonObject): Generator<NeutralEvent> {
    const texts = [{ index: 0, from: 0, text: this.#text }];
    for (const citation of readGrounding(candidate, texts)) {
      const key = JSON.stringify(citation);
      if (this.#cited.has(key)) continue;
      this.#cited.add(key);
      yield { type: 'citation', citation };
    }
  }

  #end(candidate: OwnJsonObject, events: NeutralEvent[]): void {
    const given = stringOf(fieldOf(candidate, 'finishReason'));
    if (given === '' || given === 'FINISH_REASON_UNSPECIFIED') return;
    const reason = endReason(given, this.#ids.size > 0);
    if (reason === 'failed') {
      events.push(failure(`finishReason ${given}`));
      return;
    }
    this.#ended = true;
    events.push({ type: 'end', reason });
  }

  /** Returns what a chunk says that is an error; undefined of others. */
  #errorIn(chunk: OwnJsonObject): unknown {
    const { error } = chunk;
    if (error !== undefined && error !== null) {
      return isOwnJsonObject(error) ? (error['message'] ?? error) : error;
    }
    return candidatesOf(chunk).length === 0 ? this.#findFailure(chunk) : undefined;
  }
}

function failure(detail: unknown): NeutralEvent {
  const text = typeof detail === 'string' ? detail : JSON.stringify(detail);
  return { type: 'failure', detail: `error event: ${text.slice(0, ERROR_LETTERS_LOGGED)}` };
}

/** @param index of a call */
function eventsOf(part: AssistantPart, index: number): NeutralEvent[] {
  switch (part.type) {
    case 'text':
    case 'image':
      return [part];
    case 'reasoning': {
      const { text, proof } = part;
      const events: NeutralEvent[] = text === '' ? [] : [{ type: 'reasoning', text }];
      if (proof !== undefined) events.push({ type: 'reasoning_proof', proof });
      return events;
    }
    case 'tool_call': {
      const { input, ...call } = part;
      return [
        { ...call, index },
        { type: 'tool_input', index, text: input },
      ];
    }
  }
}
