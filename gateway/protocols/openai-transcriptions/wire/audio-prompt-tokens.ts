/** OpenAI's models hear ten tokens a second. */
const TOKENS_PER_SECOND = 10;
/** Gemini's hear 32, the most of those whose count is published. */
const TOKENS_PER_SECOND_MAX = 32;
const MS_PER_SECOND = 1_000;
const TEXT_BYTES_PER_TOKEN = 4;

/** About as many tokens as a prompt of sound and text has. */
export function audioPromptTokens(ms: number, textBytes: number): number {
  return (
    Math.ceil((ms * TOKENS_PER_SECOND) / MS_PER_SECOND) +
    Math.ceil(textBytes / TEXT_BYTES_PER_TOKEN)
  );
}

/** The most tokens that sound has. */
export function audioPromptTokensMax(ms: number): number {
  return Math.ceil((ms * TOKENS_PER_SECOND_MAX) / MS_PER_SECOND);
}
