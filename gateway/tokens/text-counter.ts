import type { Encoder } from './encoders.ts';

/**
 * The encoder's work grows with the square of a piece's length, and a piece is a run of characters
 * of one kind. Longer runs are cut: words are shorter, and of what is longer, such as base64, each
 * cut costs a token at most.
 */
const PIECE_CHARACTERS_MAX = 256;

/**
 * Text beyond this counts in proportion to what was counted before it. Two million characters are
 * about half a million tokens, and up to six seconds of a worker's time when they are chosen to be
 * slow.
 */
const COUNTED_CHARACTERS_MAX = 2_000_000;

/**
 * Characters counted in one turn: less than a millisecond of work, about ten when they are chosen
 * to be slow.
 */
export const TURN_CHARACTERS = 4_096;
/** Distance before its end in which a slice looks for a place where a cut costs nothing. */
const CUT_LOOK_CHARACTERS = 256;

/** Kinds of ASCII characters between which every piece ends. Others may belong to any kind. */
const [SPACE, LETTER, DIGIT, SIGN, WIDE] = [0, 1, 2, 3, 4];
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return SPACE;
  if (/[A-Za-z]/.test(character)) return LETTER;
  return /\d/.test(character) ? DIGIT : SIGN;
});
const BLANK = 0x20;

/**
 * Counts the texts of one prompt or reply, in turns: it yields where its thread may do other work.
 */
export function* countTexts(
  encoder: Encoder,
  texts: readonly string[],
): Generator<undefined, number> {
  let tokens = 0;
  let countedCharacters = 0;
  let furtherCharacters = 0;
  let turnCharacters = 0;
  for (const text of texts) {
    const end = Math.min(text.length, COUNTED_CHARACTERS_MAX - countedCharacters);
    furtherCharacters += text.length - end;
    countedCharacters += end;
    let start = 0;
    while (start < end) {
      const cut = cutBefore(text, start + TURN_CHARACTERS, end);
      tokens += countPieces(encoder, text.slice(start, cut));
      turnCharacters += cut - start;
      start = cut;
      if (turnCharacters < TURN_CHARACTERS - CUT_LOOK_CHARACTERS) continue;
      turnCharacters = 0;
      yield;
    }
  }
  // What the encoder remembers is the customer's text.
  encoder.forget();
  if (furtherCharacters === 0) return tokens;
  return tokens + Math.ceil(furtherCharacters * (tokens / countedCharacters));
}

/**
 * Returns where to cut: a blank between two letters is a boundary of tokens; elsewhere a cut adds
 * one token at most.
 */
function cutBefore(text: string, index: number, end: number): number {
  if (index >= end) return end;
  for (let cut = index; cut > index - CUT_LOOK_CHARACTERS; cut -= 1) {
    if (text.charCodeAt(cut) === BLANK && isLetter(text, cut - 1) && isLetter(text, cut + 1)) {
      return cut;
    }
  }
  return splitsPair(text, index) ? index - 1 : index;
}

function isLetter(text: string, index: number): boolean {
  return KINDS[text.charCodeAt(index)] === LETTER;
}

function countPieces(encoder: Encoder, text: string): number {
  if (text.length <= PIECE_CHARACTERS_MAX) return encoder.count(text);
  let tokens = 0;
  let start = 0;
  let runKind = SPACE;
  let run = 0;
  for (let index = 0; index < text.length; index += 1) {
    const kind = KINDS[text.charCodeAt(index)] ?? WIDE;
    if (kind !== runKind && kind !== WIDE) {
      runKind = kind;
      run = 0;
    }
    run += 1;
    if (run <= PIECE_CHARACTERS_MAX || splitsPair(text, index)) continue;
    tokens += encoder.count(text.slice(start, index));
    start = index;
    run = 1;
  }
  return tokens + encoder.count(start === 0 ? text : text.slice(start));
}

/** Reports whether a cut before this index would split a surrogate pair. */
function splitsPair(text: string, index: number): boolean {
  return isSurrogate(text, index, 0xdc00) && isSurrogate(text, index - 1, 0xd800);
}

/** @param half 0xd800 for first halves, 0xdc00 for second ones */
function isSurrogate(text: string, index: number, half: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === half;
}
