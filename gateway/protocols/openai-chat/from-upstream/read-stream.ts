import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { EventReader } from '../../neutral-form/neutral-form.ts';
import type { NeutralEvent } from '../../neutral-form/reply.ts';
import { usageIn } from '../../openai-family/chunks/chunk-reader.ts';
import { readUrlCitations } from '../../openai-family/url-citations.ts';
import { readUsage } from '../../openai-family/usage.ts';
import type { FailureFinder } from '../../protocol.ts';
import { DeliveredOutput } from '../../sse/delivered-output.ts';
import { DONE_MARK } from '../../sse/reply-form.ts';
import { callProof, textOf } from './read-reply.ts';
import { detailedReasoning, reasoningText } from '../wire/content-parts.ts';
import { choiceEnd } from '../wire/end-reason.ts';
import { readMadeImages } from '../wire/images.ts';
import { detailsOf, detailsProof } from '../wire/reasoning-details.ts';
import { calleeOf, toolTextKey } from './tool-call.ts';
import { ChoiceState } from './choice-state.ts';
import { streamError } from '../../openai-family/chunks/stream-error.ts';

const OPEN_BRACE = '{';
const NOTHING: readonly NeutralEvent[] = [];

/** Reads an upstream's stream of chat completions. */
export function readStream(findFailure: FailureFinder): EventReader {
  return new ChatEventReader(findFailure);
}

/** A call that has begun. Its input waits until its name is known. */
interface OpenCall {
  readonly id: string;
  named: boolean;
  waiting: string;
}

/** Members of a detail that come in pieces. */
const PIECES = ['text', 'summary', 'data'] as const;

/**
 * Adds the pieces of `reasoning_details` that a chunk has to those that came before: pieces of one
 * index and type are one detail.
 */
function joinDetails(joined: OwnJsonObject[], pieces: readonly JsonObject[]): void {
  for (const piece of pieces) {
    const known = joined.findLast(
      ({ index, type }) => index === piece['index'] && type === piece['type'],
    );
    if (known === undefined) {
      joined.push({ ...piece });
      continue;
    }
    for (const [name, value] of Object.entries(piece)) {
      const grows = PIECES.some((one) => one === name);
      if (grows) known[name] = stringOf(known[name]) + stringOf(value);
      else if (value !== null) known[name] = value;
    }
  }
}

/**
 * Reads the first of several choices. States: not begun -> open -> ended (its finish_reason came;
 * content behind it is read as well, and ended again).
 */
class ChatEventReader implements EventReader {
  readonly #findFailure: FailureFinder;
  readonly #choice = new ChoiceState({ completesCalls: false });
  /** The counter of the choice; TranslatedStream counts what is delivered. */
  readonly #uncounted = new DeliveredOutput();
  readonly #calls: OpenCall[] = [];
  #events: NeutralEvent[] = [];
  #begun = false;
  #hasContent = false;
  #reasonsInText = false;
  #details: OwnJsonObject[] = [];

  constructor(findFailure: FailureFinder) {
    this.#findFailure = findFailure;
    this.#uncounted.forgetText();
  }

  read(name: string, data: Buffer): readonly NeutralEvent[] {
    const text = data.toString('utf8').trim();
    if (text === DONE_MARK) return this.#endAtMark();
    // Heartbeats of all kinds are no events.
    if (!text.startsWith(OPEN_BRACE) && name !== 'error') return NOTHING;
    const chunk = parseOwnObject(data);
    const detail = streamError(chunk, name, this.#findFailure);
    if (chunk === undefined || detail !== undefined) {
      return [{ type: 'failure', detail: detail ?? '' }];
    }
    this.#events = [];
    this.#chunk(chunk);
    return this.#events;
  }

  close(): readonly NeutralEvent[] {
    return NOTHING;
  }

  /** The mark ends a whole reply: servers that send no finish_reason mean "stop". */
  #endAtMark(): readonly NeutralEvent[] {
    this.#events = [];
    if (this.#hasContent && !this.#choice.finished) {
      const choice = { delta: {}, finish_reason: 'stop' };
      this.#choice.normalise(choice, this.#uncounted);
      this.#delta(choice.delta);
      this.#end(choice);
    }
    return [...this.#events, { type: 'done' }];
  }

  #chunk(chunk: OwnJsonObject): void {
    const choice = firstChoice(chunk['choices']);
    const usage = readUsage(usageIn(chunk, choice), chunk['service_tier']);
    if (choice !== undefined) {
      if (!this.#begun) this.#events.push({ type: 'start', id: stringOf(chunk['id']) });
      this.#begun = true;
      const reading = this.#choice.normalise(choice, this.#uncounted);
      this.#hasContent ||= reading.hasContent;
      const { delta, finish_reason: reason } = choice;
      if (isOwnJsonObject(delta)) this.#delta(delta);
      if (typeof reason === 'string') this.#end(choice);
    }
    if (usage !== undefined) this.#events.push({ type: 'usage', usage });
  }

  #delta(delta: OwnJsonObject): void {
    this.#reasoning(delta);
    const text = textOf(delta['content']);
    const images = readMadeImages(delta);
    const refusal = stringOf(delta['refusal']);
    const fragments: unknown = delta['tool_calls'];
    const calls = Array.isArray(fragments) ? fragments.filter(isOwnJsonObject) : [];
    const hasMore = refusal !== '' || calls.length + images.length > 0;
    if (text !== '' || hasMore) this.#prove();
    if (text !== '') this.#events.push({ type: 'text', text });
    for (const citation of readUrlCitations(delta['annotations'])) {
      this.#events.push({ type: 'citation', citation });
    }
    if (refusal !== '') this.#events.push({ type: 'refusal', text: refusal });
    this.#events.push(...images);
    for (const fragment of calls) this.#call(fragment);
  }

  #reasoning(delta: OwnJsonObject): void {
    const inText = reasoningText(delta);
    if (inText !== '') this.#reasonsInText = true;
    const text = this.#reasonsInText ? inText : detailedReasoning(delta);
    if (text !== '') this.#events.push({ type: 'reasoning', text });
    joinDetails(this.#details, detailsOf(delta));
  }

  /** Emits the proof of the reasoning so far, which is complete. */
  #prove(): void {
    const proof = detailsProof(this.#details);
    this.#details = [];
    if (proof !== undefined) this.#events.push({ type: 'reasoning_proof', proof });
  }

  #call(fragment: OwnJsonObject): void {
    const index = Number(fragment['index']);
    const called: JsonObject = calleeOf(fragment) ?? {};
    const name = stringOf(called['name']);
    const textKey = toolTextKey(fragment);
    const call = (this.#calls[index] ??= {
      id: stringOf(fragment['id']),
      named: false,
      waiting: '',
    });
    call.waiting += stringOf(called[textKey]);
    if (!call.named && name !== '') {
      call.named = true;
      const freeForm = textKey === 'input';
      const proof = callProof(fragment);
      this.#events.push({ type: 'tool_call', index, id: call.id, name, freeForm, ...proof });
    }
    if (!call.named || call.waiting === '') return;
    this.#events.push({ type: 'tool_input', index, text: call.waiting });
    call.waiting = '';
  }

  #end(choice: JsonObject): void {
    this.#prove();
    const calls = this.#calls.some(({ named }) => named);
    this.#events.push({ type: 'end', ...choiceEnd(choice, calls) });
  }
}

function firstChoice(choices: unknown): OwnJsonObject | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices
    .filter(isOwnJsonObject)
    .find(({ index }) => typeof index !== 'number' || index === 0);
}
