import { isJsonObject, parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import type { MessagesRequest } from './parse-request.ts';

/** Ids of calls that Anthropic's own tools make; it refuses others in `server_tool_use`. */
const SERVER_CALL_ID = /^srvtoolu_\w+$/;

/**
 * Reports whether reading and writing a request changes what Anthropic refuses: results of tools
 * behind other content, although they are all there (anthropics/claude-code#2697), which reading
 * puts first; and calls of hosted tools that another vendor made (Wei-Shaw/sub2api#1308), which
 * reading leaves out.
 */
export function isRewritten({ bytes }: MessagesRequest): boolean {
  const messages = parseOwnObject(bytes)?.['messages'];
  return Array.isArray(messages) && messages.some(isChanged);
}

function isChanged(message: unknown): boolean {
  const content = isJsonObject(message) ? message['content'] : undefined;
  if (!Array.isArray(content)) return false;
  const blocks = content.filter(isJsonObject);
  const isResult = blocks.map(({ type }) => type === 'tool_result');
  const firstOther = isResult.indexOf(false);
  const hasLateResult = firstOther !== -1 && isResult.includes(true, firstOther);
  return hasLateResult || blocks.some(isForeignCall);
}

function isForeignCall({ type, id }: Readonly<Record<string, unknown>>): boolean {
  return type === 'server_tool_use' && !SERVER_CALL_ID.test(stringOf(id));
}
