import { meaningOfEnd } from '../../neutral-form/end-words.ts';
import type { EndReason, NeutralEnd } from '../../neutral-form/reply.ts';

const REASONS: ReadonlyMap<unknown, EndReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop_sequence'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'context_full'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
  // A loop of tools that the upstream runs, which no other protocol can go on with.
  ['pause_turn', 'stop'],
  ['compaction', 'stop'],
]);

/**
 * Reports whether Anthropic charges nothing for a message: its classifiers have refused the request
 * before there was any output. The usage counts the prompt even so.
 */
export function isFreeRefusal(stopReason: unknown, hasBlocks: boolean): boolean {
  return stopReason === 'refusal' && !hasBlocks;
}

export function endReason(stopReason: unknown): EndReason {
  const known = REASONS.get(stopReason);
  if (known !== undefined) return known;
  return (typeof stopReason === 'string' ? meaningOfEnd(stopReason) : undefined) ?? 'stop';
}

const STOP_REASONS: Readonly<Record<EndReason, string>> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  context_full: 'model_context_window_exceeded',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/**
 * Returns the end for a client with these stop sequences: one that it did not ask for is the
 * server's own, and a plain end.
 */
export function askedEnd(
  { reason, stopSequence }: NeutralEnd,
  asked: readonly unknown[],
): { readonly reason: EndReason; readonly stopSequence: string | null } {
  const isAsked =
    stopSequence !== undefined && (reason === 'stop_sequence' || asked.includes(stopSequence));
  return isAsked ? { reason: 'stop_sequence', stopSequence } : { reason, stopSequence: null };
}

/** `tool_use` comes with a block of that type, and such a block with it: agents go by either. */
export function stopReasonOf(end: EndReason, callsTools: boolean): string {
  if (end === 'stop' && callsTools) return 'tool_use';
  return end === 'tool_calls' && !callsTools ? 'end_turn' : STOP_REASONS[end];
}

/** Returns a stop reason in Anthropic's words where it is one of another interface's. */
export function knownStopReason(stopReason: string, callsTools: boolean): string {
  if (REASONS.has(stopReason)) return stopReason;
  const meaning = meaningOfEnd(stopReason);
  if (meaning === undefined) return stopReason;
  return meaning === 'tool_calls' ? 'tool_use' : stopReasonOf(meaning, callsTools);
}
