import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { detailedReasoning, joinParts, reasoningText } from '../wire/content-parts.ts';
import { knownFinishReason } from './finish-reason.ts';
import type { ChoiceReader, ChoiceReading } from '../../openai-family/chunks/chunk-reader.ts';
import type { DeliveredOutput } from '../../sse/delivered-output.ts';
import { stringifyArguments } from './tool-call.ts';
import { ToolCalls } from './tool-calls.ts';

/** Keys of a delta that say nothing by being there. */
const TEXT_KEYS = ['content', 'reasoning_content', 'reasoning', 'refusal'] as const;
const STRUCTURE_KEYS: ReadonlySet<string> = new Set([
  ...TEXT_KEYS,
  'role',
  'tool_calls',
  'function_call',
]);

export interface ChoiceOptions {
  /** Calls that have no arguments get some with the finish_reason. */
  readonly completesCalls: boolean;
}

/**
 * One choice of a stream. States: not begun -> open (its role has been sent) -> finished (its
 * finish_reason has been read). It brings each delta into the form that every tested SDK
 * understands.
 */
export class ChoiceState implements ChoiceReader {
  finished = false;
  readonly #completesCalls: boolean;
  #begun = false;
  #tools: ToolCalls | undefined;
  #calledFunction = false;
  #reasonsInText = false;

  constructor({ completesCalls }: ChoiceOptions) {
    this.#completesCalls = completesCalls;
  }

  /** Brings a choice of a chunk into shape in place, and counts its text as output. */
  normalise(choice: OwnJsonObject, output: DeliveredOutput): ChoiceReading {
    const reading: ChoiceReading = {
      changed: false,
      turned: false,
      hasContent: false,
      callBegan: false,
      example: undefined,
    };
    const delta = this.#deltaOf(choice, reading);
    this.#role(delta, reading);
    const texts = readTexts(delta, output, reading);
    this.#details(delta, output, reading);
    const fragments = delta['tool_calls'];
    if (Array.isArray(fragments) && fragments.length > 0) {
      this.#toolCalls(delta, fragments as unknown[], output, reading);
      if (texts > 0) reading.example = undefined;
    }
    const call = delta['function_call'];
    if (isOwnJsonObject(call)) this.#functionCall(call, output, reading);
    if (hasOtherContent(delta)) reading.hasContent = true;
    this.#finish(choice, delta, reading);
    return reading;
  }

  /** The delta. Some servers send a whole message instead, or once more at the end, or nothing. */
  #deltaOf(choice: OwnJsonObject, reading: ChoiceReading): OwnJsonObject {
    const { delta, message } = choice;
    if (isOwnJsonObject(delta)) return delta;
    const made = !this.#begun && isOwnJsonObject(message) ? message : {};
    delete choice['message'];
    choice['delta'] = made;
    reading.changed = true;
    return made;
  }

  /** SDKs concatenate `role`, so it is sent once; one SDK requires it. */
  #role(delta: OwnJsonObject, reading: ChoiceReading): void {
    const { role } = delta;
    if (!this.#begun) {
      this.#begun = true;
      reading.turned = true;
      if (role === 'assistant') return;
      delta['role'] = 'assistant';
      reading.changed = true;
    } else if (role !== undefined) {
      delete delta['role'];
      reading.changed = true;
    }
  }

  /**
   * Reasoning that is sent in details alone. A choice that has sent some as text repeats it there
   * at most.
   */
  #details(delta: OwnJsonObject, output: DeliveredOutput, reading: ChoiceReading): void {
    if (reasoningText(delta) !== '') this.#reasonsInText = true;
    const text = this.#reasonsInText ? '' : detailedReasoning(delta);
    if (text === '') return;
    output.add(text);
    reading.example = undefined;
  }

  #toolCalls(
    delta: OwnJsonObject,
    fragments: unknown[],
    output: DeliveredOutput,
    reading: ChoiceReading,
  ): void {
    this.#tools ??= new ToolCalls();
    const change = this.#tools.normalise(fragments, output);
    if (change.changed) reading.changed = true;
    if (fragments.length === 0) {
      delete delta['tool_calls'];
      return;
    }
    reading.hasContent = true;
    if (change.began) {
      reading.turned = true;
      reading.callBegan = true;
    }
    if (fragments.length === 1 && change.text !== '') {
      reading.example = { key: change.textKey, text: change.text };
    }
  }

  /** The form that calls had before `tool_calls`. Its name counts once, should it be repeated. */
  #functionCall(call: OwnJsonObject, output: DeliveredOutput, reading: ChoiceReading): void {
    if (stringifyArguments(call, 'arguments')) reading.changed = true;
    const name = stringOf(call['name']);
    const text = stringOf(call['arguments']);
    if (name !== '' && !this.#calledFunction) {
      this.#calledFunction = true;
      output.add(name);
    }
    if (text !== '') output.add(text);
    reading.hasContent = true;
    reading.example = undefined;
  }

  #finish(choice: OwnJsonObject, delta: OwnJsonObject, reading: ChoiceReading): void {
    const reason = choice['finish_reason'];
    if (reason === null || reason === undefined) return;
    reading.turned = true;
    if (this.finished || typeof reason !== 'string' || reason === '') {
      choice['finish_reason'] = null;
      reading.changed = true;
      return;
    }
    this.finished = true;
    const known = knownFinishReason(reason);
    if (known !== reason) {
      choice['finish_reason'] = known;
      reading.changed = true;
    }
    // Agents stop here if they get "stop" although tools were called.
    const calledTools = this.#tools?.any === true;
    if (known === 'stop' && (calledTools || this.#calledFunction)) {
      choice['finish_reason'] = calledTools ? 'tool_calls' : 'function_call';
      reading.changed = true;
    }
    const missing = this.#completesCalls ? (this.#tools?.missingArguments() ?? []) : [];
    if (missing.length === 0) return;
    const fragments: unknown = delta['tool_calls'];
    delta['tool_calls'] = Array.isArray(fragments)
      ? [...(fragments as unknown[]), ...missing]
      : missing;
    reading.changed = true;
  }
}

/** Counts the delta's texts. Returns how many there are. */
function readTexts(delta: OwnJsonObject, output: DeliveredOutput, reading: ChoiceReading): number {
  let texts = 0;
  if (joinParts(delta)) {
    reading.changed = true;
    // Text in parts is between other members than a string: no later chunk is recognised by
    // it.
    texts += 2;
  }
  for (const key of TEXT_KEYS) {
    const text = delta[key];
    if (typeof text !== 'string' || text === '') {
      if (Array.isArray(text) && text.length > 0) {
        // Some vendors stream images as parts of the content.
        output.add(JSON.stringify(text));
        reading.hasContent = true;
        texts += 2;
      }
      continue;
    }
    // Servers that are changing from one name to the other send both.
    if (key === 'reasoning' && text === delta['reasoning_content']) texts += 1;
    else {
      output.add(text);
      texts += 1;
      reading.example = { key, text };
    }
    reading.hasContent = true;
  }
  const { audio } = delta;
  if (isOwnJsonObject(audio)) {
    const transcript = stringOf(audio['transcript']);
    if (transcript !== '') output.add(transcript);
    texts += 2;
  }
  if (texts !== 1) reading.example = undefined;
  return texts;
}

/** Audio, images, citations and what is yet to be invented. */
function hasOtherContent(delta: OwnJsonObject): boolean {
  for (const key of Object.keys(delta)) {
    if (STRUCTURE_KEYS.has(key)) continue;
    const value = delta[key];
    if (value === null || value === undefined || value === '') continue;
    if (!Array.isArray(value) || value.length > 0) return true;
  }
  return false;
}
