import { IMAGE_LOW_TOKENS } from './media-tokens.ts';

/**
 * The estimate by which TPM limits admit a prompt that has not been counted; the settle corrects
 * it. It is no bound: a limit that took the bytes of a photo for text, or the most expensive image
 * there is for each, would refuse a prompt that fits ten times.
 */
export interface PromptContent {
  readonly bodyBytes: number;
  /** Parts that are not text. */
  readonly mediaParts: number;
  /** Bytes of those of them that show no text; they say nothing about tokens. */
  readonly mediaBytes: number;
}

const TEXT_BYTES_PER_TOKEN = 4;

/** Clamp the answer to the model's context. */
export function estimatePromptTokens(content: PromptContent): number {
  const { bodyBytes, mediaParts, mediaBytes } = content;
  const textBytes = Math.max(0, bodyBytes - mediaBytes);
  return Math.ceil(textBytes / TEXT_BYTES_PER_TOKEN) + mediaParts * IMAGE_LOW_TOKENS;
}
