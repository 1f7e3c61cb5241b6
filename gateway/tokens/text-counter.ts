import type { Encoder } from './encoders.ts';

/**
 * The encoder's work grows with the square of a piece's length, and a piece is a run of characters of one kind.
 * Longer runs are cut: words are shorter, and of what is longer, such as base64, each cut costs a token at most.
 */
const PIECE_CHARACTERS_MAX = 256;

/**
 * Text beyond this counts in proportion to what was counted before it. Two million characters are about half a
 * million tokens, and up to six seconds of a worker's time when they are chosen to be slow.
 */
const COUNTED_CHARACTERS_MAX = 2_000_000;

/** Kinds of ASCII characters between which every piece ends. Others may belong to any kind. */
const [SPACE, LETTER, DIGIT, SIGN, WIDE] = [0, 1, 2, 3, 4];
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return SPACE;
  if (/[A-Za-z]/.test(character)) return LETTER;
  return /\d/.test(character) ? DIGIT : SIGN;
});

/** Counts the texts of one prompt or reply. */
export class TextCounter {
  readonly #encoder: Encoder;
  #tokens = 0;
  #countedCharacters = 0;
  #furtherCharacters = 0;

  constructor(encoder: Encoder) {
    this.#encoder = encoder;
  }

  add(text: string): void {
    const room = COUNTED_CHARACTERS_MAX - this.#countedCharacters;
    const counted = text.length <= room ? text : text.slice(0, room);
    this.#countedCharacters += counted.length;
    this.#furtherCharacters += text.length - counted.length;
    this.#tokens += this.#countPieces(counted);
  }

  /** The tokens of all texts. Nothing may be added afterwards. */
  total(): number {
    // What the encoder remembers is the customer's text.
    this.#encoder.forget();
    if (this.#furtherCharacters === 0) return this.#tokens;
    const tokensPerCharacter = this.#tokens / this.#countedCharacters;
    return this.#tokens + Math.ceil(this.#furtherCharacters * tokensPerCharacter);
  }

  #countPieces(text: string): number {
    if (text.length <= PIECE_CHARACTERS_MAX) return this.#encoder.count(text);
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
      tokens += this.#encoder.count(text.slice(start, index));
      start = index;
      run = 1;
    }
    return tokens + this.#encoder.count(start === 0 ? text : text.slice(start));
  }
}

/** Whether a cut before this character would part the two halves of one. */
function splitsPair(text: string, index: number): boolean {
  return isSurrogate(text, index, 0xdc00) && isSurrogate(text, index - 1, 0xd800);
}

/** @param half 0xd800 for first halves, 0xdc00 for second ones */
function isSurrogate(text: string, index: number, half: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === half;
}
