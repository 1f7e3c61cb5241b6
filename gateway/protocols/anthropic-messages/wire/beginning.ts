import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import { usageObject } from '../usage.ts';
import { messageFrame } from '../to-client/write-reply.ts';

const NOTHING_YET = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/**
 * Returns the message of a `message_start` that is made here. Other protocols report the prompt at
 * the end of a stream: until `message_delta` restates it, clients show an estimate.
 */
export function beginning(id: string, model: string, promptTokensEstimate: number): OwnJsonObject {
  return {
    ...messageFrame(id, model),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usageObject({ ...NOTHING_YET, input: promptTokensEstimate }),
  };
}

/** Returns a server-sent event of Anthropic's, whose name is its type. */
export function namedEvent(type: string, json: string): string {
  return `event: ${type}\ndata: ${json}\n\n`;
}
