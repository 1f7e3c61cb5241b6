import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';

/**
 * Returns a message with Anthropic's `tool_use` and `tool_result` blocks among its parts, as Cursor
 * sends them, as the messages that chat completions have for it. Other messages stay as they are.
 */
export function withoutBlocks(message: JsonObject): readonly JsonObject[] {
  const { content, role } = message;
  if (!Array.isArray(content)) return [message];
  const parts = content.filter(isJsonObject);
  const type = role === 'assistant' ? 'tool_use' : 'tool_result';
  const blocks = parts.filter((part) => part['type'] === type);
  if (blocks.length === 0) return [message];
  const rest = { ...message, content: parts.filter((part) => part['type'] !== type) };
  if (role === 'assistant') return [{ ...rest, tool_calls: callsOf(message, blocks) }];
  // The results of calls come directly behind them.
  return [...blocks.map(resultOf), ...(rest.content.length === 0 ? [] : [rest])];
}

/** A call that a client sends in both forms is one. */
function callsOf(message: JsonObject, blocks: readonly JsonObject[]): readonly JsonObject[] {
  const sent: unknown = message['tool_calls'];
  const calls = Array.isArray(sent) ? sent.filter(isJsonObject) : [];
  const ids = new Set(calls.map(({ id }) => id));
  const more = blocks.filter(({ id }) => !ids.has(id));
  return [...calls, ...more.map(callOf)];
}

function callOf({ id, name, input, cache_control: mark }: JsonObject): JsonObject {
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  const called = { name: stringOf(name), arguments: text };
  return { id, type: 'function', function: called, cache_control: mark };
}

function resultOf(block: JsonObject): JsonObject {
  const { tool_use_id: id, content, is_error: isError, cache_control: mark } = block;
  return { role: 'tool', tool_call_id: id, content, is_error: isError, cache_control: mark };
}
