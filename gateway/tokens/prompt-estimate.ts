import { isJsonObject } from '../platform/json/json-value.ts';
import { IMAGE_LOW_TOKENS } from './media-tokens.ts';

/**
 * What TPM limits assume of a prompt before anybody has counted it; the settle corrects it. Not a bound: a limit that
 * took the bytes of a photo for text, or the dearest image there is for each, would refuse a prompt that fits ten times.
 */
export interface PromptContent {
  readonly bodyBytes: number;
  /** Parts that are not text. */
  readonly mediaParts: number;
  /** Bytes of those of them that show no text, which tell nothing about their tokens. */
  readonly mediaBytes: number;
}

const TEXT_BYTES_PER_TOKEN = 4;

/** Clamp the answer to the model's context. */
export function estimatePromptTokens(content: PromptContent): number {
  const { bodyBytes, mediaParts, mediaBytes } = content;
  const textBytes = Math.max(0, bodyBytes - mediaBytes);
  return Math.ceil(textBytes / TEXT_BYTES_PER_TOKEN) + mediaParts * IMAGE_LOW_TOKENS;
}

/** `mediaBytes` of messages that passed every check; near enough, for white space and escapes are not what they were. */
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
