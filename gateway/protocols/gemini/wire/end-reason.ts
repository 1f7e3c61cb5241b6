import { meaningOfEnd } from '../../neutral-form/end-words.ts';
import type { EndReason } from '../../neutral-form/reply.ts';

/** Reasons that say that a filter has ended the reply. */
const FILTERED: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/** Reasons that say that the model has made nothing of use: no program takes them for an end. */
const FAILED: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
]);

/**
 * Returns what a `finishReason` means; `failed` where it is no end of a reply.
 * @param calls whether the reply calls tools: Gemini has no reason of its own for that
 */
export function endReason(finishReason: string, calls: boolean): EndReason | 'failed' {
  const reason = knownFinishReason(finishReason);
  if (reason === 'MAX_TOKENS') return 'length';
  if (FILTERED.has(reason)) return 'content_filter';
  if (FAILED.has(reason)) return 'failed';
  return calls ? 'tool_calls' : 'stop';
}

/** Returns the `finishReason` for a client. */
export function finishReason(end: EndReason): string {
  switch (end) {
    case 'length':
    case 'context_full':
      return 'MAX_TOKENS';
    case 'content_filter':
      return 'SAFETY';
    default:
      return 'STOP';
  }
}

/** Reasons of Gemini's that say nothing more. */
const OTHERS: ReadonlySet<string> = new Set([
  'FINISH_REASON_UNSPECIFIED',
  'STOP',
  'MAX_TOKENS',
  'OTHER',
  'NO_IMAGE',
  'IMAGE_OTHER',
]);

/** Returns a finish reason in Gemini's words where it is one of another interface's. */
export function knownFinishReason(reason: string): string {
  for (const word of [reason, reason.toUpperCase()]) {
    if (OTHERS.has(word) || FILTERED.has(word) || FAILED.has(word)) return word;
  }
  const meaning = meaningOfEnd(reason);
  return meaning === undefined ? reason : finishReason(meaning);
}
