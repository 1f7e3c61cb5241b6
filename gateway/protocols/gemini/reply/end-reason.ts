import type { EndReason } from '../../exchange-form/reply.ts';

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
  if (finishReason === 'MAX_TOKENS') return 'length';
  if (FILTERED.has(finishReason)) return 'content_filter';
  if (FAILED.has(finishReason)) return 'failed';
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
