import type { JsonObject } from '../../../platform/json/json-value.ts';
import { toolInput } from '../../anthropic-family/tool-input.ts';
import type {
  AssistantPart,
  NeutralMessage,
  ReasoningPart,
  ToolResultPart,
} from '../../neutral-form/request.ts';
import type { TargetProfile } from '../../target-profile.ts';
import { isClaudeSignature, isRedactedHere } from '../wire/proofs.ts';
import { isCachePoint } from './cache-points.ts';
import { BlockWriter } from './write-blocks.ts';

/** Bedrock refuses a message that has documents and no text. */
const ATTACHED = 'See the attached document.';
/** Claude on Bedrock refuses a document in the message of a tool's result. */
const ACKNOWLEDGED = 'Understood.';

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: JsonObject[];
}

export interface WrittenConversation {
  readonly system: JsonObject[];
  readonly messages: readonly Turn[];
}

/**
 * Returns system prompt and messages of a body. The fit has put results behind their calls, system
 * messages and the user first; messages of one role are one turn.
 */
export function writeConversation(
  messages: readonly NeutralMessage[],
  profile: TargetProfile,
): WrittenConversation {
  const writer = new ConversationWriter(profile);
  for (const message of messages) writer.add(message);
  return writer.end();
}

class ConversationWriter {
  readonly #blocks: BlockWriter;
  readonly #system: JsonObject[] = [];
  readonly #turns: Turn[] = [];

  constructor(profile: TargetProfile) {
    this.#blocks = new BlockWriter(profile);
  }

  add(message: NeutralMessage): void {
    switch (message.role) {
      case 'system':
        this.#system.push(...this.#blocks.parts(message.parts));
        return;
      case 'user':
        this.#addUser(this.#blocks.parts(message.parts));
        return;
      case 'assistant':
        this.#addAssistant(message.parts);
        return;
      case 'tool':
        this.#push(
          'user',
          message.parts.flatMap((result) => this.#result(result)),
        );
    }
  }

  end(): WrittenConversation {
    for (const { role, content } of this.#turns) {
      if (role === 'user' && has(content, 'document') && !has(content, 'text')) {
        content.unshift({ text: ATTACHED });
      }
    }
    return { system: this.#system, messages: this.#turns };
  }

  #addUser(blocks: readonly JsonObject[]): void {
    const isBehindResults = has(this.#turns.at(-1)?.content ?? [], 'toolResult');
    if (isBehindResults && has(blocks, 'document')) {
      this.#push('assistant', [{ text: ACKNOWLEDGED }]);
    }
    this.#push('user', blocks);
  }

  #addAssistant(parts: readonly AssistantPart[]): void {
    const content = parts.flatMap((part) => this.#assistantPart(part));
    // Bedrock takes a turn of nothing but reasoning for the beginning of a reply.
    if (has(content, 'text') || has(content, 'toolUse')) this.#push('assistant', content);
  }

  #assistantPart(part: AssistantPart): JsonObject[] {
    switch (part.type) {
      case 'text':
        return this.#blocks.parts([part]);
      // A model's turn has no place for it.
      case 'image':
        return [];
      case 'reasoning':
        return reasoningBlocks(part);
      case 'tool_call': {
        const { id, name, input, freeForm } = part;
        const toolUse = { toolUseId: id, name, input: toolInput(input, freeForm) };
        return this.#blocks.marked({ toolUse }, part);
      }
    }
  }

  #result(result: ToolResultPart): JsonObject[] {
    const { callId, content, isError } = result;
    const toolResult = {
      toolUseId: callId,
      content: this.#blocks.result(content),
      ...(isError ? { status: 'error' } : {}),
    };
    const inner = content.find(({ cache }) => cache !== undefined);
    return this.#blocks.marked({ toolResult }, result.cache === undefined ? (inner ?? {}) : result);
  }

  #push(role: Turn['role'], blocks: readonly JsonObject[]): void {
    if (blocks.length === 0) return;
    const last = this.#turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else this.#turns.push({ role, content: [...blocks] });
  }
}

function has(blocks: readonly JsonObject[], kind: string): boolean {
  return blocks.some((block) => block[kind] !== undefined);
}

/** Reasoning of other vendors, and without a proof, is refused. */
function reasoningBlocks({ text, proof }: ReasoningPart): JsonObject[] {
  if (proof === undefined) return [];
  if (isRedactedHere(proof)) {
    return [{ reasoningContent: { redactedContent: proof.value } }];
  }
  if (!isClaudeSignature(proof)) return [];
  return [{ reasoningContent: { reasoningText: { text, signature: proof.value } } }];
}

/** Reports whether the conversation calls tools or has their results. */
export function usesTools({ messages }: WrittenConversation): boolean {
  return messages.some(({ content }) => has(content, 'toolUse') || has(content, 'toolResult'));
}

/** Names of the tools that the conversation has called, in the order of their first calls. */
export function calledTools(messages: readonly NeutralMessage[]): readonly string[] {
  const names = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool_call' ? [part.name] : [])),
  );
  return [...new Set(names)];
}

/** Marks the end of the last turn, if a point may be there. */
export function cacheWhole({ messages }: WrittenConversation, point: JsonObject): void {
  const content = messages.at(-1)?.content;
  const last = content?.at(-1);
  if (content === undefined || isCachePoint(last) || last?.['document'] !== undefined) return;
  content.push(point);
}
