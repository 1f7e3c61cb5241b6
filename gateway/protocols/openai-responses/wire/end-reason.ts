import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import type { EndReason } from '../../neutral-form/reply.ts';

/**
 * Returns the reason why an upstream's response ended. An incomplete one is so whatever it calls.
 */
export function endReason(response: JsonObject, callsTools: boolean): EndReason {
  if (response['status'] === 'incomplete') {
    const details = response['incomplete_details'];
    const reason = isJsonObject(details) ? details['reason'] : undefined;
    return reason === 'content_filter' ? 'content_filter' : 'length';
  }
  return callsTools ? 'tool_calls' : 'stop';
}

/** Returns the status of a response for a client, and why it is incomplete. */
export function responseEnd(reason: EndReason): {
  readonly status: 'completed' | 'incomplete';
  readonly incomplete_details: { readonly reason: string } | null;
} {
  switch (reason) {
    case 'length':
    case 'context_full':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    case 'content_filter':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    case 'stop':
    case 'stop_sequence':
    case 'tool_calls':
      return { status: 'completed', incomplete_details: null };
  }
}
