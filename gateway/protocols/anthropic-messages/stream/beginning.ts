import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import { usageObject } from '../usage.ts';
import { messageFrame } from '../write-reply.ts';

/**
 * Other protocols report the prompt at the end of a stream, and some clients add up what they find.
 */
const NOTHING_YET = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/** Returns the message of a `message_start` that is made here. */
export function beginning(id: string, model: string): OwnJsonObject {
  return {
    ...messageFrame(id, model),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usageObject(NOTHING_YET),
  };
}
