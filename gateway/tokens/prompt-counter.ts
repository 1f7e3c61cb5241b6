import { isJsonObject, type JsonObject } from '../platform/json/json-value.ts';
import { encoderFor } from './encoders.ts';
import { promptTokensUpperBound } from './prompt-upper-bound.ts';
import { countTexts } from './text-counter.ts';

/**
 * Tokens that the chat template puts around each message, and before the reply (OpenAI's cookbook).
 */
const MESSAGE_TOKENS = 3;
const NAME_TOKENS = 1;
const REPLY_PRIMING_TOKENS = 3;

/**
 * Tokens that end the list of tools (OpenAI's cookbook); the tools themselves count as their JSON.
 */
const TOOLS_TOKENS = 12;

/** Tokens that mark one call of a tool in an assistant's message. */
const TOOL_CALL_TOKENS = 3;

/** Takes a byte order mark away. */
const DECODER = new TextDecoder('utf-8');

/** Returns the object that a request's body is; undefined when it is none. */
export function readPromptBody(body: Uint8Array): JsonObject | undefined {
  try {
    const request: unknown = JSON.parse(DECODER.decode(body));
    return isJsonObject(request) ? request : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the objects of an array; none of anything else. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Tokens of a text, such as a reply's. Slow, and in turns, like the count of a prompt. */
export function countTextTokens(model: string, text: string): Generator<undefined, number> {
  return countTexts(encoderFor(model), [text]);
}

/** Collects what a prompt is made of, and counts it. The protocols say which fields that is. */
export class PromptCounter {
  readonly model: string;
  readonly #texts: string[] = [];
  #marks = REPLY_PRIMING_TOKENS;
  #mediaParts = 0;
  #hasTools = false;

  constructor(model: string) {
    this.model = model;
  }

  /** One more message: what the chat template puts around it. */
  addMessage(): void {
    this.#marks += MESSAGE_TOKENS;
  }

  /** Adds a text; what is no string is none. */
  addText(text: unknown): void {
    if (typeof text === 'string') this.#texts.push(text);
  }

  /** Adds the name of a message's author. */
  addName(name: unknown): void {
    if (typeof name !== 'string') return;
    this.#marks += NAME_TOKENS;
    this.#texts.push(name);
  }

  /** Adds a part that is no text, of which so many tokens are assumed. */
  addMedia(tokens: number): void {
    this.#mediaParts += 1;
    this.#marks += tokens;
  }

  /** Adds a part of an unknown kind that has text. */
  addMediaText(text: string): void {
    this.#mediaParts += 1;
    this.#texts.push(text);
  }

  /** Adds tools, which are in the prompt as their JSON. */
  addTools(tools: readonly unknown[]): void {
    if (tools.length === 0) return;
    this.#hasTools = true;
    this.#marks += TOOLS_TOKENS;
    for (const tool of tools) this.#texts.push(JSON.stringify(tool));
  }

  /** Adds a call of a tool in an assistant's message. */
  addCall(name: unknown, input: unknown): void {
    this.#marks += TOOL_CALL_TOKENS;
    this.addText(name);
    this.addText(input);
  }

  /** Counts it, in turns. Never more than the bound of a body of this size. */
  *total(bodyBytes: number): Generator<undefined, number> {
    const tokens = yield* countTexts(encoderFor(this.model), this.#texts);
    // Numbers can be written shorter than JSON.stringify shows them (1e20), and text beyond what is
    // counted is guessed.
    const bound = promptTokensUpperBound({
      bodyBytes,
      hasTools: this.#hasTools,
      mediaParts: this.#mediaParts,
      // A file may be as long as any prompt, but counts as three pages: what is counted is charged.
      hasUnboundedParts: false,
    });
    return Math.min(this.#marks + tokens, bound);
  }
}
