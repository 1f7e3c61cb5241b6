import { isJsonObject } from '../../../platform/json/json-value.ts';

/**
 * Returns about how many bytes the parts take that are not text. The messages have passed every
 * check; white space and escapes may differ from what was sent.
 */
export function mediaBytesOf(messages: unknown): number {
  let bytes = 0;
  for (const message of Array.isArray(messages) ? messages : []) {
    if (!isJsonObject(message)) continue;
    const { content, images } = message;
    if (Array.isArray(content)) bytes += content.reduce(addPart, 0);
    if (Array.isArray(images)) bytes += images.reduce(addPart, 0);
  }
  return bytes;
}

function addPart(bytes: number, part: unknown): number {
  if (!isJsonObject(part) || TEXT_TYPES.has(part['type'])) return bytes;
  return typeof part['text'] === 'string' ? bytes : bytes + JSON.stringify(part).length;
}

const TEXT_TYPES = new Set<unknown>(['text', 'refusal']);
