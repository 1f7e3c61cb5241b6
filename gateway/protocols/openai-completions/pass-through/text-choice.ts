import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import { meaningOfEnd } from '../../neutral-form/end-words.ts';
import type {
  ChoiceReader,
  ChoiceReading,
  ChunkFormat,
} from '../../openai-family/chunks/chunk-reader.ts';
import type { DeliveredOutput } from '../../sse/delivered-output.ts';
import { COMPLETION_REPLY_FIELDS } from './known-fields.ts';

/** @param echoOf as `echoOf` of the request returns it for a choice */
export function textFormat(echoOf: (index: number) => string | null): ChunkFormat {
  return {
    object: 'text_completion',
    knownFields: COMPLETION_REPLY_FIELDS,
    openChoice: (index) => new TextChoice(echoOf(index)),
    ending: () => ({ text: '', logprobs: null }),
  };
}

const KNOWN: ReadonlySet<string> = new Set(['stop', 'length', 'content_filter']);

/**
 * Returns the finish reason in the words of completions; an unknown word is an end like any
 * other.
 */
export function knownFinishReason(reason: string): string {
  if (KNOWN.has(reason)) return reason;
  switch (meaningOfEnd(reason)) {
    case 'length':
    case 'context_full':
      return 'length';
    case 'content_filter':
      return 'content_filter';
    default:
      return 'stop';
  }
}

/** One completion of a stream. */
export class TextChoice implements ChoiceReader {
  finished = false;
  /** The part of an echoed prompt that is still to come; null: none. */
  #echoLeft: string | null;

  /** @param echo as `echoOf` returns it */
  constructor(echo: string | null) {
    this.#echoLeft = echo;
  }

  normalise(choice: OwnJsonObject, output: DeliveredOutput): ChoiceReading {
    const changed = fixText(choice);
    const text = String(choice['text']);
    const echoes = this.#echoLeft !== '';
    const made = this.#withoutEcho(text);
    if (made !== '') output.add(made);
    const plain = text !== '' && !echoes && (choice['logprobs'] ?? null) === null;
    return {
      changed: this.#finish(choice) || changed,
      turned: this.finished,
      hasContent: text !== '',
      callBegan: false,
      example: plain ? { key: 'text', text } : undefined,
    };
  }

  #withoutEcho(text: string): string {
    const echo = this.#echoLeft;
    if (echo === null) return '';
    if (echo.startsWith(text)) {
      this.#echoLeft = echo.slice(text.length);
      return '';
    }
    this.#echoLeft = '';
    return text.startsWith(echo) ? text.slice(echo.length) : text;
  }

  /** Clients take the first finish_reason for the last word, and "" for one. */
  #finish(choice: OwnJsonObject): boolean {
    const reason = choice['finish_reason'];
    if (reason === null) return false;
    if (typeof reason === 'string' && reason !== '' && !this.finished) {
      this.finished = true;
      const known = knownFinishReason(reason);
      choice['finish_reason'] = known;
      return known !== reason;
    }
    choice['finish_reason'] = null;
    return true;
  }
}

/** A choice always has a text. Returns whether something was changed. */
export function fixText(choice: OwnJsonObject): boolean {
  if (typeof choice['text'] === 'string') return false;
  choice['text'] = '';
  return true;
}
