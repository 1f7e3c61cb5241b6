import { meaningOfEnd } from '../../neutral-form/end-words.ts';

const KNOWN: ReadonlySet<string> = new Set(['stop', 'length', 'content_filter']);

/**
 * Returns the finish reason in the words of completions; an unknown word is an end like any
 * other.
 */
export function knownFinishReason(reason: string): string {
  if (KNOWN.has(reason)) return reason;
  switch (meaningOfEnd(reason)) {
    case 'length':
    case 'context_full':
      return 'length';
    case 'content_filter':
      return 'content_filter';
    default:
      return 'stop';
  }
}
