import { isJsonObject } from '../../../platform/json/json-value.ts';

/**
 * Returns about how many bytes the parts take that are not text. The messages have passed every
 * check; white space and escapes may differ from what was sent.
 */
export function mediaBytesOf(messages: unknown): number {
  let bytes = 0;
  for (const message of Array.isArray(messages) ? messages : []) {
    const content: unknown = isJsonObject(message) ? message['content'] : undefined;
    for (const part of Array.isArray(content) ? content : []) {
      if (isJsonObject(part) && !TEXT_TYPES.has(part['type']) && typeof part['text'] !== 'string') {
        bytes += JSON.stringify(part).length;
      }
    }
  }
  return bytes;
}

const TEXT_TYPES = new Set<unknown>(['text', 'refusal']);
