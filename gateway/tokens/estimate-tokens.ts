/**
 * Tokens of text whose characters were only counted. Measured with o200k_base: English prose has 4.5 ASCII
 * characters a token, code and JSON 3 to 4; Cyrillic 3 characters a token, Chinese and Japanese 1.2 to 1.6.
 * The estimate leans towards too many, because holds are extended by it and must not run dry.
 */
export const ASCII_CHARACTERS_PER_TOKEN = 3.5;
export const WIDE_CHARACTERS_PER_TOKEN = 1.4;

export function estimateTokens(asciiCharacters: number, wideCharacters: number): number {
  return Math.ceil(
    asciiCharacters / ASCII_CHARACTERS_PER_TOKEN + wideCharacters / WIDE_CHARACTERS_PER_TOKEN,
  );
}
