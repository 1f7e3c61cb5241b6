import { isJsonObject, type JsonObject } from '../platform/json/json-value.ts';
import { encoderFor } from './encoders.ts';
import { mediaPartTokens } from './media-tokens.ts';
import { promptTokensUpperBound } from './prompt-upper-bound.ts';
import { countTexts } from './text-counter.ts';

/** What the chat template puts around each message, and before the reply, as OpenAI's cookbook gives it. */
const MESSAGE_TOKENS = 3;
const NAME_TOKENS = 1;
const REPLY_PRIMING_TOKENS = 3;

/** What ends the list of tools, as OpenAI's cookbook gives it; the tools themselves count as their JSON. */
const TOOLS_TOKENS = 12;

/** What marks one call of a tool in an assistant's message. */
const TOOL_CALL_TOKENS = 3;

/** Takes a byte order mark away. */
const DECODER = new TextDecoder('utf-8');

/** A file may be as long as any prompt, but counts as three pages here: what is counted is charged. */
const COUNTED_PARTS = { hasBoundlessParts: false };

/**
 * Tokens of a chat-completions request's prompt, never more than its upper bound. Exact for text and OpenAI's
 * models, near for the text of others, an estimate for pictures, sound and files. Slow: made for worker threads, and in
 * turns, between which these have time for others.
 * @param body the request's JSON bytes, checked before but for what is within long strings: where that is no JSON, the
 * answer is the upper bound
 */
export function* countPromptTokens(model: string, body: Uint8Array): Generator<undefined, number> {
  const request = parseRequest(body);
  if (request === undefined) {
    const unread = { bodyBytes: body.length, hasTools: true, mediaParts: 0 };
    return promptTokensUpperBound({ ...unread, ...COUNTED_PARTS });
  }
  const prompt = new PromptCounter(model);
  for (const message of objects(request['messages'])) prompt.addMessage(message);
  const hasTools = prompt.addTools(request);
  const { tokens, mediaParts } = yield* prompt.total();
  // Numbers can be written shorter than they are shown here (1e20), and text beyond what is counted is guessed.
  const shape = { bodyBytes: body.length, hasTools, mediaParts, ...COUNTED_PARTS };
  return Math.min(tokens, promptTokensUpperBound(shape));
}

function parseRequest(body: Uint8Array): JsonObject | undefined {
  try {
    const request: unknown = JSON.parse(DECODER.decode(body));
    return isJsonObject(request) ? request : undefined;
  } catch {
    return undefined;
  }
}

/** Tokens of a text, such as a reply's. Slow, and in turns, like the count of a prompt. */
export function countTextTokens(model: string, text: string): Generator<undefined, number> {
  return countTexts(encoderFor(model), [text]);
}

class PromptCounter {
  readonly #model: string;
  readonly #texts: string[] = [];
  #marks = REPLY_PRIMING_TOKENS;
  #mediaParts = 0;

  constructor(model: string) {
    this.#model = model;
  }

  addMessage(message: JsonObject): void {
    this.#marks += MESSAGE_TOKENS;
    this.#addText(message['role']);
    this.#addText(message['reasoning_content']);
    if (typeof message['name'] === 'string') {
      this.#marks += NAME_TOKENS;
      this.#addText(message['name']);
    }
    this.#addText(message['content']);
    this.#addText(message['refusal']);
    for (const part of objects(message['content'])) this.#addPart(part);
    for (const call of objects(message['tool_calls']))
      this.#addCall(call['function'] ?? call['custom']);
    this.#addCall(message['function_call']);
  }

  /** Tools and the form a reply must have stand in the prompt as text. Answers whether there are tools. */
  addTools(request: JsonObject): boolean {
    const tools = [...objects(request['tools']), ...objects(request['functions'])];
    if (tools.length > 0) {
      this.#marks += TOOLS_TOKENS;
      for (const tool of tools) this.#texts.push(JSON.stringify(tool['function'] ?? tool));
    }
    const format = request['response_format'];
    if (isJsonObject(format) && isJsonObject(format['json_schema'])) {
      this.#texts.push(JSON.stringify(format['json_schema']));
    }
    return tools.length > 0;
  }

  *total(): Generator<undefined, { readonly tokens: number; readonly mediaParts: number }> {
    const tokens = yield* countTexts(encoderFor(this.#model), this.#texts);
    return { tokens: this.#marks + tokens, mediaParts: this.#mediaParts };
  }

  #addText(text: unknown): void {
    if (typeof text === 'string') this.#texts.push(text);
  }

  #addPart(part: JsonObject): void {
    const { type, text, refusal } = part;
    if (type === 'text') this.#addText(text);
    else if (type === 'refusal') this.#addText(refusal);
    else {
      this.#mediaParts += 1;
      // Kinds of parts that are not known here may be text by another name.
      if (typeof text === 'string') this.#addText(text);
      else this.#marks += mediaPartTokens(this.#model, part);
    }
  }

  #addCall(call: unknown): void {
    if (!isJsonObject(call)) return;
    this.#marks += TOOL_CALL_TOKENS;
    this.#addText(call['name']);
    this.#addText(call['arguments'] ?? call['input']);
  }
}

/** The objects of an array; nothing of anything else. */
function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
