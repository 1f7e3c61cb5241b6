import { isJsonObject, parseOwnObject } from '../../../platform/json/json-value.ts';
import type { ChatRequest } from './parse-request.ts';

/**
 * Reports whether a message with calls has an empty text, which vendors send and do not take back
 * (MoonshotAI/kimi-cli#2621). Weir writes none.
 */
export function hasEmptyContent({ bytes }: ChatRequest): boolean {
  const messages = parseOwnObject(bytes)?.['messages'];
  return (
    Array.isArray(messages) &&
    messages.some(
      (message: unknown) =>
        isJsonObject(message) && message['content'] === '' && Array.isArray(message['tool_calls']),
    )
  );
}
