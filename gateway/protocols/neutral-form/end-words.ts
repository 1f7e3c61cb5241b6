import type { EndReason } from './reply.ts';

/**
 * The words for the end of a reply that servers have, in small letters. Servers that translate one
 * interface into another often hand its words on as they are.
 */
const MEANINGS: ReadonlyMap<string, EndReason> = new Map<string, EndReason>([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['complete', 'stop'],
  ['completed', 'stop'],
  ['stop_sequence', 'stop_sequence'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'context_full'],
  ['tool_calls', 'tool_calls'],
  ['tool_call', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['safety', 'content_filter'],
  ['recitation', 'content_filter'],
  ['prohibited_content', 'content_filter'],
  ['blocklist', 'content_filter'],
  ['spii', 'content_filter'],
  ['refusal', 'content_filter'],
  ['sensitive', 'content_filter'],
]);

/** Returns what a word for the end of a reply means; undefined for unknown words. */
export function meaningOfEnd(word: string): EndReason | undefined {
  // Python prints an enumeration with its name before the value: "FinishReason.STOP".
  return MEANINGS.get(word.slice(word.lastIndexOf('.') + 1).toLowerCase());
}
