import type { EndReason } from '../../neutral-form/reply.ts';

/**
 * Returns the meaning of a `finish_reason`. Servers have words of their own for a plain end, such
 * as `eos`.
 * @param calls whether the reply calls tools: agents wait for ever when only one of the two is
 *   said
 */
export function endReason(finishReason: unknown, calls: boolean): EndReason {
  switch (finishReason) {
    case 'length':
    case 'content_filter':
      return finishReason;
    default:
      return calls ? 'tool_calls' : 'stop';
  }
}

/** The `finish_reason` for a client. */
export function finishReason(end: EndReason, calls: boolean): string {
  switch (end) {
    case 'length':
    case 'context_full':
      return 'length';
    case 'content_filter':
      return end;
    default:
      return calls ? 'tool_calls' : 'stop';
  }
}
