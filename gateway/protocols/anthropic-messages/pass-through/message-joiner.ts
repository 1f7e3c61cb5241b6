import {
  isOwnJsonObject,
  stringOf,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { beginning } from '../wire/beginning.ts';
import { countsOutput, mergeUsage } from '../usage.ts';

/** The member of the block to which each kind of delta is appended. */
const TEXT_FIELDS: ReadonlyMap<unknown, readonly [delta: string, block: string]> = new Map([
  ['text_delta', ['text', 'text']],
  ['thinking_delta', ['thinking', 'thinking']],
  ['signature_delta', ['signature', 'signature']],
  ['compaction_delta', ['content', 'content']],
]);

const BEGINNINGS: ReadonlyMap<unknown, OwnJsonObject> = new Map([
  ['text_delta', { type: 'text', text: '' }],
  ['thinking_delta', { type: 'thinking', thinking: '', signature: '' }],
]);

/** Joins the events of a stream to its message. */
export class MessageJoiner {
  #message: OwnJsonObject | undefined;
  #usage: JsonObject = {};
  #hasOutput = false;
  #stopped = false;
  readonly #blocks = new Map<unknown, OwnJsonObject>();
  /** Inputs of tools, which come as pieces of JSON text. */
  readonly #inputs = new Map<unknown, string>();
  #ending: OwnJsonObject = {};

  add(type: string, event: OwnJsonObject): void {
    const { index, message, content_block: block, delta, usage } = event;
    switch (type) {
      case 'message_start':
        this.#start(message);
        break;
      case 'content_block_start':
        if (isOwnJsonObject(block)) this.#blocks.set(index, { ...block });
        break;
      case 'content_block_delta':
        if (isOwnJsonObject(delta)) this.#delta(index, delta);
        break;
      case 'message_delta':
        this.#end(delta, usage);
        break;
      case 'message_stop':
        this.#stopped = true;
        break;
      default:
    }
  }

  /** Undefined when the stream ended before the message did. */
  message(): OwnJsonObject | undefined {
    const ended = typeof this.#ending['stop_reason'] === 'string';
    if (!ended && !this.#stopped) return undefined;
    if (this.#message === undefined && this.#blocks.size === 0) return undefined;
    const content = [...this.#blocks].map(([index, block]) => this.#whole(index, block));
    const calls = content.some(({ type }) => type === 'tool_use');
    // What a stream reports at its beginning is of the prompt alone.
    const usage = this.#hasOutput ? this.#usage : { ...this.#usage, output_tokens: 0 };
    const stopReason = calls ? 'tool_use' : 'end_turn';
    const ending = { stop_reason: stopReason, stop_sequence: null, ...this.#ending };
    return { ...(this.#message ?? beginning('', '', 0)), content, ...ending, usage };
  }

  #start(message: unknown): void {
    if (this.#message !== undefined || !isOwnJsonObject(message)) return;
    this.#message = message;
    const { usage } = message;
    if (isOwnJsonObject(usage)) {
      this.#usage = mergeUsage(this.#usage, { ...usage, output_tokens: null });
    }
  }

  #delta(index: unknown, delta: OwnJsonObject): void {
    const { type, partial_json: json, citation } = delta;
    const block = this.#blocks.get(index) ?? this.#unannounced(index, type);
    if (block === undefined) return;
    if (type === 'input_json_delta') {
      this.#inputs.set(index, (this.#inputs.get(index) ?? '') + stringOf(json));
    } else if (type === 'citations_delta') {
      const { citations } = block;
      const known: readonly unknown[] = Array.isArray(citations) ? citations : [];
      block['citations'] = [...known, citation];
    } else {
      const [from, to] = TEXT_FIELDS.get(type) ?? [];
      if (from === undefined || to === undefined) return;
      block[to] = stringOf(block[to]) + stringOf(delta[from]);
    }
  }

  /** Some servers send no beginnings of blocks. */
  #unannounced(index: unknown, deltaType: unknown): OwnJsonObject | undefined {
    const begun = BEGINNINGS.get(deltaType);
    if (begun === undefined) return undefined;
    const block = { ...begun };
    this.#blocks.set(index, block);
    return block;
  }

  #end(delta: unknown, usage: unknown): void {
    if (isOwnJsonObject(usage)) {
      this.#usage = mergeUsage(this.#usage, usage);
      this.#hasOutput ||= countsOutput(usage);
    }
    if (!isOwnJsonObject(delta)) return;
    for (const [name, value] of Object.entries(delta)) {
      if (value !== null) this.#ending[name] = value;
    }
  }

  #whole(index: unknown, block: OwnJsonObject): OwnJsonObject {
    const json = this.#inputs.get(index) ?? '';
    return json === '' ? block : { ...block, input: parsed(json) };
  }
}

/** Input that is no JSON was cut off, by a limit. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return {};
  }
}
