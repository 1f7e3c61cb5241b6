/** What chat completions know; clients act on these words alone. */
const KNOWN: ReadonlySet<string> = new Set([
  'stop',
  'length',
  'tool_calls',
  'function_call',
  'content_filter',
]);

/** Words of other interfaces, in small letters, which servers that translate them pass on. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['completed', 'stop'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['tool_call', 'tool_calls'],
  ['safety', 'content_filter'],
  ['recitation', 'content_filter'],
  ['prohibited_content', 'content_filter'],
  ['blocklist', 'content_filter'],
  ['refusal', 'content_filter'],
  ['sensitive', 'content_filter'],
]);

/** Returns the finish reason in the words of chat completions; what nobody knows is an end like any other. */
export function knownFinishReason(reason: string): string {
  if (KNOWN.has(reason)) return reason;
  const lowerCase = reason.toLowerCase();
  return KNOWN.has(lowerCase) ? lowerCase : (MEANT.get(lowerCase) ?? 'stop');
}
