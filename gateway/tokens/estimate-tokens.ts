/**
 * Characters from this code on (Chinese, Japanese, Korean, Thai, signs, emoji) are wide, those
 * below it narrow.
 */
const WIDE_FROM = 0x800;

/**
 * Characters a token, measured with o200k_base: English prose 4.2, code 4.0, German 3.7, Russian
 * 3.8, Arabic 3.0, JSON 2.6; of the wide ones Chinese 1.0, Japanese 1.2, Korean 1.4, emoji 1.2. The
 * divisors lean towards too many tokens, because holds are extended by the estimate and must not
 * run dry.
 */
const NARROW_CHARACTERS_PER_TOKEN = 3;
const WIDE_CHARACTERS_PER_TOKEN = 1;

/** Tokens of text whose characters were only counted. */
export function estimateTokens(narrowCharacters: number, wideCharacters: number): number {
  return Math.ceil(
    narrowCharacters / NARROW_CHARACTERS_PER_TOKEN + wideCharacters / WIDE_CHARACTERS_PER_TOKEN,
  );
}

/** Counts the wide characters of a text; all others are narrow. */
export function countWideCharacters(text: string): number {
  let wideCharacters = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) >= WIDE_FROM) wideCharacters += 1;
  }
  return wideCharacters;
}

/** Tokens of a text, by its characters alone. */
export function estimateTextTokens(text: string): number {
  const wideCharacters = countWideCharacters(text);
  return estimateTokens(text.length - wideCharacters, wideCharacters);
}
