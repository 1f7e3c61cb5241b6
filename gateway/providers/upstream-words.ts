import { errorBody } from './error-body.ts';
import { extractMessage } from './openai-compatible/error-message.ts';

/** A page says what it is in its first lines. */
const TEXT_LETTERS_MAX = 300;

/**
 * Returns what the upstream says in an error body, for its operator: the message where the body has
 * one, else the beginning of its text; empty when there is nothing to read.
 */
export function upstreamWords(body: Buffer): string {
  const message = extractMessage(errorBody(body));
  if (message !== undefined) return message;
  const text = body.subarray(0, TEXT_LETTERS_MAX * 4).toString('utf8');
  return text.replace(/\s+/g, ' ').trim().slice(0, TEXT_LETTERS_MAX);
}
