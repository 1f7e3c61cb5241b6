import { meaningOfEnd } from '../../neutral-form/end-words.ts';
import type { EndReason } from '../../neutral-form/reply.ts';

const REASONS: ReadonlyMap<unknown, EndReason | 'failed'> = new Map<unknown, EndReason | 'failed'>([
  ['end_turn', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['stop_sequence', 'stop_sequence'],
  ['model_context_window_exceeded', 'context_full'],
  ['content_filtered', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
  // The model has made nothing of use: no program takes these for an end.
  ['malformed_model_output', 'failed'],
  ['malformed_tool_use', 'failed'],
]);

/** Returns what a `stopReason` means; `failed` where it is no end of a reply. */
export function endReason(stopReason: unknown): EndReason | 'failed' {
  const known = REASONS.get(stopReason);
  if (known !== undefined) return known;
  return (typeof stopReason === 'string' ? meaningOfEnd(stopReason) : undefined) ?? 'stop';
}
