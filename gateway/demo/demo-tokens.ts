/**
 * A word, or eight letters of a long one, or a run of punctuation, with the white space before it.
 */
const TOKEN = /\s*(?:[\p{L}\p{N}]{1,8}|[^\s\p{L}\p{N}]+)|\s+$/gu;

/**
 * The demo upstream's own tokenizer: small, without tables, and near enough to real ones for a
 * demo. The tokens joined are the text.
 */
export function demoTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}
