import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type {
  AssistantPart,
  NeutralMessage,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../../neutral-form/request.ts';
import { isOwn } from '../../anthropic-family/proofs.ts';
import { toolInput } from '../../anthropic-family/tool-input.ts';
import { toolUseId } from '../wire/tool-use.ts';
import { BlockWriter } from './write-blocks.ts';

/** The result of a call whose result never came: without one, the upstream refuses the request. */
const INTERRUPTED = 'The call was interrupted and has no result.';

interface Turn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: JsonObject[];
}

export interface WrittenMessages {
  readonly system: JsonObject[];
  readonly messages: readonly Turn[];
  readonly refusal: Refusal | undefined;
}

/**
 * Returns system prompt and messages of a body. The results of calls are the first blocks of the
 * turn behind them, one for each call; messages of one role are one turn.
 */
export function writeMessages(
  messages: readonly NeutralMessage[],
  options: { readonly systemMessages: boolean },
): WrittenMessages {
  const writer = new MessageWriter(messages, options.systemMessages);
  for (const message of messages) writer.add(message);
  return writer.end();
}

class MessageWriter {
  readonly #blocks = new BlockWriter();
  readonly #system: JsonObject[] = [];
  readonly #turns: Turn[] = [];
  readonly #systemMessages: boolean;
  /** Results that have not been written. */
  readonly #results: Set<ToolResultPart>;
  /** Ids of calls in the last turn that have no result yet. */
  #open: string[] = [];
  /** System text that came between calls and their results. */
  #lateSystem: TextPart[] = [];
  #lateBlocks: JsonObject[] = [];

  constructor(messages: readonly NeutralMessage[], systemMessages: boolean) {
    this.#systemMessages = systemMessages;
    this.#results = new Set(messages.flatMap((one) => (one.role === 'tool' ? one.parts : [])));
  }

  add(message: NeutralMessage): void {
    switch (message.role) {
      case 'system':
        this.#addSystem(message.parts);
        return;
      case 'user':
        this.#closeCalls();
        this.#push('user', this.#blocks.parts(message.parts));
        return;
      case 'assistant':
        // Parallel calls may come in several messages.
        if (this.#turns.at(-1)?.role !== 'assistant') this.#closeCalls();
        this.#addAssistant(message.parts);
        return;
      case 'tool':
        for (const result of message.parts) this.#addResult(result);
        if (this.#open.length === 0) this.#closeCalls();
    }
  }

  end(): WrittenMessages {
    this.#closeCalls();
    const system = this.#system;
    // A conversation of nothing but instructions: a model must be asked something.
    const asked = this.#turns.length > 0;
    if (!asked && system.length > 0) this.#turns.push({ role: 'user', content: system });
    return {
      system: asked ? system : [],
      messages: this.#turns,
      refusal: this.#blocks.refusal,
    };
  }

  #addSystem(parts: readonly TextPart[]): void {
    if (this.#turns.length === 0) this.#system.push(...this.#blocks.parts(parts));
    else if (this.#open.length > 0) this.#lateSystem.push(...parts);
    else this.#addLateSystem(parts);
  }

  #addLateSystem(parts: readonly TextPart[]): void {
    if (this.#systemMessages) {
      this.#push('system', this.#blocks.parts(parts));
      return;
    }
    const marked = parts.map((part) => ({
      ...part,
      text: `<system-reminder>\n${part.text}\n</system-reminder>`,
    }));
    this.#push('user', this.#blocks.parts(marked));
  }

  #addAssistant(parts: readonly AssistantPart[]): void {
    const content = parts.flatMap((part) => this.#assistantPart(part));
    // Anthropic refuses a turn that ends with thinking.
    const said = content.some(({ type }) => type === 'text' || type === 'tool_use');
    if (!said) return;
    this.#push('assistant', content);
    const calls = parts.filter((part) => part.type === 'tool_call');
    this.#open.push(...calls.map(({ id }) => toolUseId(id)));
  }

  /** Reasoning of other vendors, or without proof, is no business of Anthropic's. */
  #assistantPart(part: AssistantPart): JsonObject[] {
    switch (part.type) {
      case 'text':
        return this.#blocks.parts([part]);
      // A model's turn has no place for it.
      case 'image':
        return [];
      case 'reasoning': {
        const { text, proof } = part;
        if (!isOwn(proof)) return [];
        return proof.redacted === true
          ? [{ type: 'redacted_thinking', data: proof.value }]
          : [{ type: 'thinking', thinking: text, signature: proof.value }];
      }
      case 'tool_call':
        return [writeCall(part, this.#blocks.mark(part.cache))];
    }
  }

  #addResult(result: ToolResultPart): void {
    if (!this.#results.delete(result)) return;
    const id = toolUseId(result.callId);
    if (!this.#open.includes(id)) {
      this.#addOrphan(result);
      return;
    }
    this.#open = this.#open.filter((open) => open !== id);
    this.#push('user', [
      {
        type: 'tool_result',
        tool_use_id: id,
        content: this.#blocks.parts(result.content),
        ...(result.isError ? { is_error: true } : {}),
        ...this.#blocks.mark(result.cache),
      },
    ]);
  }

  /**
   * The result of no call that is known. Anthropic would refuse it; the model may still need it.
   */
  #addOrphan({ content }: ToolResultPart): void {
    const head: UserPart = { type: 'text', text: 'Result of a tool call that is not shown here:' };
    this.#lateBlocks.push(...this.#blocks.parts([head, ...content]));
  }

  /** Each call has its result in the turn behind it, wherever it came. */
  #closeCalls(): void {
    for (const id of this.#open) {
      const later = [...this.#results].find(({ callId }) => toolUseId(callId) === id);
      if (later !== undefined) this.#addResult(later);
    }
    const missing = this.#open.map((id) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: INTERRUPTED,
      is_error: true,
    }));
    this.#open = [];
    this.#push('user', [...missing, ...this.#lateBlocks]);
    this.#lateBlocks = [];
    const system = this.#lateSystem;
    this.#lateSystem = [];
    if (system.length > 0) this.#addLateSystem(system);
  }

  #push(role: Turn['role'], blocks: readonly JsonObject[]): void {
    if (blocks.length === 0) return;
    const last = this.#turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else this.#turns.push({ role, content: [...blocks] });
  }
}

function writeCall(part: ToolCallPart, mark: JsonObject): JsonObject {
  const { id, name, input, freeForm } = part;
  return { type: 'tool_use', id: toolUseId(id), name, input: toolInput(input, freeForm), ...mark };
}
