import { isJsonObject, parseOwnObject } from '../../../platform/json/json-value.ts';
import type { MessagesRequest } from './parse-request.ts';

/**
 * Reports whether a turn has results of tools behind other content, which Anthropic refuses
 * although they are all there (anthropics/claude-code#2697). Reading puts them first.
 */
export function hasLateResults({ bytes }: MessagesRequest): boolean {
  const messages = parseOwnObject(bytes)?.['messages'];
  return Array.isArray(messages) && messages.some(hasLateResult);
}

function hasLateResult(message: unknown): boolean {
  const content = isJsonObject(message) ? message['content'] : undefined;
  if (!Array.isArray(content)) return false;
  const isResult = content.map((block) => isJsonObject(block) && block['type'] === 'tool_result');
  return isResult.lastIndexOf(true) > isResult.indexOf(false) && isResult.includes(false);
}
