/**
 * A bound on prompt tokens that needs no tokenizer: every token of a byte-level or byte-fallback
 * vocabulary, which is every one in use, stands for at least one byte of text. JSON only makes text
 * longer (an escape is at least as long as the UTF-8 it stands for), and the punctuation around a
 * message or a tool is longer than the tokens that mark them in a chat template. A bound that is
 * tighter and still safe would have to know the vocabulary: text of one token a byte exists in
 * each.
 */
export interface PromptShape {
  readonly bodyBytes: number;
  readonly hasTools: boolean;
  /** Parts whose tokens do not show in their bytes. */
  readonly mediaParts: number;
  /** One of them may be as long as any prompt. */
  readonly hasUnboundedParts: boolean;
}

/**
 * Tokens that vendors put before a conversation unasked: gpt-oss writes about 70 of system message.
 */
const PROMPT_PREAMBLE_TOKENS = 128;

/**
 * Tokens that vendors add once when tools are offered: 530 is the most that Anthropic has
 * documented.
 */
const TOOLS_PREAMBLE_TOKENS = 640;

/**
 * The most expensive single image in a published formula: gpt-4o-mini counts 2833 + 5667 for each
 * of at most eight tiles.
 */
export const MEDIA_PART_TOKENS_MAX = 48_169;

/**
 * Clamp the answer, which may be infinite, to `promptTokensMax`: nothing that is longer is billed.
 */
export function promptTokensUpperBound(prompt: PromptShape): number {
  const { bodyBytes, hasTools, mediaParts, hasUnboundedParts } = prompt;
  if (hasUnboundedParts) return Infinity;
  return (
    bodyBytes +
    PROMPT_PREAMBLE_TOKENS +
    (hasTools ? TOOLS_PREAMBLE_TOKENS : 0) +
    mediaParts * MEDIA_PART_TOKENS_MAX
  );
}

/** The same for a body that cannot be read. */
export function unreadPromptTokensUpperBound(body: Uint8Array): number {
  const unread = { bodyBytes: body.length, hasTools: true, mediaParts: 0 };
  return promptTokensUpperBound({ ...unread, hasUnboundedParts: false });
}

/**
 * The same for the text of a request alone. What is in an image or a file does not show in its
 * bytes: a photo would stand for millions of tokens.
 */
export function textTokensUpperBound(
  prompt: Pick<PromptShape, 'bodyBytes' | 'hasTools'> & { readonly mediaBytes: number },
): number {
  const bodyBytes = Math.max(0, prompt.bodyBytes - prompt.mediaBytes);
  return promptTokensUpperBound({
    bodyBytes,
    hasTools: prompt.hasTools,
    mediaParts: 0,
    hasUnboundedParts: false,
  });
}

/**
 * The most prompt tokens that a request is held for and billed. An upstream's report is believed as
 * far as it is plausible for what was sent: up to the model's context, which images and files may
 * fill unseen, and beyond it as far as the text goes. So a model whose context is too small in
 * the catalog is paid for in full, and an absurd report takes no more than the longest prompt that
 * can be meant. Not more for each image: the most expensive that there is would have a hold for ten
 * screenshots cover half a million tokens.
 */
export function promptTokensMax(
  { textTokensBound }: { readonly textTokensBound: number },
  { contextTokensMax }: { readonly contextTokensMax: number },
): number {
  return Math.max(contextTokensMax, textTokensBound);
}
