import type { ConversationRules } from '../../target-profile.ts';
import type { AssistantPart, NeutralMessage } from '../request.ts';
import { mapSame } from './map-same.ts';

/** The least that vendors take for reasoning: an empty text counts as none. */
const NO_REASONING = ' ';

/**
 * Returns the messages without what was thought in earlier turns, where the target refuses it; or
 * with a thought in each turn that calls tools, where it wants one and the client has kept none.
 * Thoughts that led to nothing, with which a reply ends that was broken off, are refused by all.
 */
export function fitReasoningText(
  messages: readonly NeutralMessage[],
  rule: ConversationRules['reasoningText'],
): readonly NeutralMessage[] {
  const fit = FITS[rule];
  return mapSame(messages, (message) => {
    if (message.role !== 'assistant') return message;
    const parts = fit(message.parts);
    return parts === message.parts ? message : { role: 'assistant', parts };
  });
}

function isReasoning({ type }: AssistantPart): boolean {
  return type === 'reasoning';
}

function withoutLastThoughts(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const last = parts.findLastIndex((part) => !isReasoning(part));
  return last === parts.length - 1 ? parts : parts.slice(0, last + 1);
}

function withoutReasoning(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  return parts.some(isReasoning) ? parts.filter((part) => !isReasoning(part)) : parts;
}

function withReasoning(given: readonly AssistantPart[]): readonly AssistantPart[] {
  const parts = withoutLastThoughts(given);
  const calls = parts.some(({ type }) => type === 'tool_call');
  const thought = parts.some((part) => part.type === 'reasoning' && part.text !== '');
  return thought || !calls ? parts : [{ type: 'reasoning', text: NO_REASONING }, ...parts];
}

const FITS = {
  accepted: withoutLastThoughts,
  required: withReasoning,
  refused: withoutReasoning,
} as const;
