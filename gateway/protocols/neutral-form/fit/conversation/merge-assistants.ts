import type { NeutralMessage } from '../../request.ts';

/**
 * Returns the messages with neighbouring ones of the assistant joined, the same list where there
 * are none. Some protocols have each call of those at once in a message of its own.
 */
export function mergeAssistants(messages: readonly NeutralMessage[]): readonly NeutralMessage[] {
  const merged: NeutralMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.role === 'assistant' && last?.role === 'assistant') {
      merged[merged.length - 1] = { role: 'assistant', parts: [...last.parts, ...message.parts] };
    } else merged.push(message);
  }
  return merged.length === messages.length ? messages : merged;
}
