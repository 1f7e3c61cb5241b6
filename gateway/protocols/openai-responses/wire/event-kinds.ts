import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';

/** Events whose `delta` is a piece of what the model writes. */
export const TEXT_DELTAS: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
  'response.mcp_call_arguments.delta',
  'response.code_interpreter_call_code.delta',
  'response.audio.transcript.delta',
]);

/** Events that have the response as it is then. */
export const LIFECYCLE_EVENTS: ReadonlySet<string> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
]);

/** The last event of a response that the client can use. */
export const TERMINAL_EVENTS: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
]);

/** The last event of a response that failed. */
export const FAILURE_EVENTS: ReadonlySet<string> = new Set([
  'error',
  'response.failed',
  'response.cancelled',
]);

/** OpenRouter's event in place of any terminal one. */
export const DONE_EVENT = 'response.done';
const OTHER_ENDS: ReadonlySet<string> = new Set(['incomplete', 'failed', 'cancelled']);

/** Reports whether a client may know an event: the interface's events have its prefix. */
export function isKnownType(type: string): boolean {
  return type.startsWith('response.') || type === 'keepalive';
}

/** Returns the type of an event in the published words: what its data says goes before its name. */
export function typeOf({ type, response }: JsonObject, eventName: string): string {
  const kind = stringOf(type) || eventName;
  if (kind !== DONE_EVENT) return kind;
  const status = isJsonObject(response) ? stringOf(response['status']) : '';
  return `response.${OTHER_ENDS.has(status) ? status : 'completed'}`;
}
