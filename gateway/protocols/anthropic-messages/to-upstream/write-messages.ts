import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { AssistantPart, NeutralMessage, ToolResultPart } from '../../neutral-form/request.ts';
import { isOwn } from '../../anthropic-family/proofs.ts';
import { toolInput } from '../../anthropic-family/tool-input.ts';
import { cacheMark, writeBlocks } from './write-blocks.ts';

interface Turn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: JsonObject[];
}

export interface WrittenMessages {
  readonly system: readonly JsonObject[];
  readonly messages: readonly Turn[];
}

/**
 * Returns system prompt and messages of a body; messages of one role are one turn. The fit has put
 * the results of calls behind them, and system messages where the model takes them.
 */
export function writeMessages(messages: readonly NeutralMessage[]): WrittenMessages {
  const system: JsonObject[] = [];
  const turns: Turn[] = [];
  const push = (role: Turn['role'], blocks: readonly JsonObject[]): void => {
    if (blocks.length === 0) return;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: [...blocks] });
  };
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        if (turns.length === 0) system.push(...writeBlocks(message.parts));
        else push('system', writeBlocks(message.parts));
        break;
      case 'user':
        push('user', writeBlocks(message.parts));
        break;
      case 'assistant':
        push('assistant', writeAssistant(message.parts));
        break;
      case 'tool':
        push('user', message.parts.map(writeResult));
    }
  }
  return { system, messages: turns };
}

/** Anthropic refuses a turn of nothing but thinking. */
function writeAssistant(parts: readonly AssistantPart[]): readonly JsonObject[] {
  const content = parts.flatMap(writeAssistantPart);
  return content.some(({ type }) => type === 'text' || type === 'tool_use') ? content : [];
}

/** Reasoning of other vendors, or without proof, is no business of Anthropic's. */
function writeAssistantPart(part: AssistantPart): JsonObject[] {
  switch (part.type) {
    case 'text':
      return writeBlocks([part]);
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
    case 'tool_call': {
      const { id, name, input, freeForm, cache } = part;
      return [
        { type: 'tool_use', id, name, input: toolInput(input, freeForm), ...cacheMark(cache) },
      ];
    }
  }
}

function writeResult({ callId, content, isError, cache }: ToolResultPart): JsonObject {
  return {
    type: 'tool_result',
    tool_use_id: callId,
    content: writeBlocks(content),
    ...(isError ? { is_error: true } : {}),
    ...cacheMark(cache),
  };
}
