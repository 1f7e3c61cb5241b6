import { stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import type { EndReason, NeutralEnd } from '../../neutral-form/reply.ts';

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

/**
 * Returns how a choice ended, with the stop sequence that ended it where the server names it: vLLM
 * in `stop_reason`, SGLang in `matched_stop`. Numbers there are ids of tokens.
 */
export function choiceEnd(choice: JsonObject, calls: boolean): NeutralEnd {
  const reason = endReason(choice['finish_reason'], calls);
  const stopSequence = stringOf(choice['stop_reason']) || stringOf(choice['matched_stop']);
  return reason === 'stop' && stopSequence !== '' ? { reason, stopSequence } : { reason };
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
