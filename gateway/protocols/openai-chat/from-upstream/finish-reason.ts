import { meaningOfEnd } from '../../neutral-form/end-words.ts';
import { finishReason } from '../wire/end-reason.ts';

/** The words of chat completions; clients act on these alone. */
const KNOWN: ReadonlySet<string> = new Set([
  'stop',
  'length',
  'tool_calls',
  'function_call',
  'content_filter',
]);

/**
 * Returns the finish reason in the words of chat completions; an unknown word is an end like any
 * other.
 */
export function knownFinishReason(reason: string): string {
  if (KNOWN.has(reason)) return reason;
  const meaning = meaningOfEnd(reason) ?? 'stop';
  return finishReason(meaning, meaning === 'tool_calls');
}
