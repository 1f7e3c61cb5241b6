import type { ByteWriter } from './byte-writer.ts';
import {
  findHoles,
  NUMBER_DIGITS_MAX,
  type Hole,
  type Span,
  type Varying,
} from './template-holes.ts';

/**
 * A stream's chunks are alike except for the few letters of their delta: the same id, model,
 * fingerprint and finish_reason in the same places. A template is learnt from one chunk that was
 * parsed and checked in full: the bytes before, between and after its strings that vary. A later
 * event with the same bytes around any other string must parse to the same chunk with another
 * delta, so that it can be passed on, or rewritten in the same way, without being parsed. This
 * costs a sixth of parsing it.
 *
 * Two strings may vary: the delta (content, reasoning or arguments) and OpenAI's padding,
 * `obfuscation`. So may numbers that the protocol names, as that of the event or token counts.
 */
export interface TemplateExample extends Varying {
  /** The event's block as it came, in the form "data: …\n\n". */
  readonly received: Buffer;
  /** The block that was sent on in its place; the same buffer when nothing had to change. */
  readonly sent: Buffer;
}

/** Longer events are rare, and templates stay with their stream. */
const TEMPLATE_BYTES_MAX = 4_096;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const DIGIT_0 = 0x30;
const DIGIT_8 = 0x38;
const DIGIT_9 = 0x39;
const LETTER_A = 0x61;
const LETTER_F = 0x66;
const LOWER_CASE_BIT = 0x20;
const FIRST_PRINTABLE = 0x20;
const FIRST_CONTINUATION = 0x80;
const FIRST_OF_TWO_BYTES = 0xc0;
const FIRST_OF_THREE_BYTES = 0xe0;
const FIRST_OF_FOUR_BYTES = 0xf0;
/** `"`, `\`, `/`, b, f, n, r, t: what a backslash may be followed by, besides u. */
const SIMPLE_ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

/**
 * Shorter pieces are compared byte by byte: the native call costs about as much as so many turns of
 * the loop.
 */
const NATIVE_COMPARE_BYTES = 32;

export class ChunkTemplate {
  /**
   * The characters of the last match's delta, narrow and wide ones counted separately; see
   * estimateTokens.
   */
  narrowCharacters = 0;
  wideCharacters = 0;
  /** The keys of the numbers that vary, in the order they come in. */
  readonly numberKeys: readonly string[];
  /** The values of these in the last match. */
  readonly numbers: number[];
  /** The place of the last match's delta in the bytes: a JSON string without its quotes. */
  textStart = 0;
  textEnd = 0;

  /** True when a matching event is passed on as it came. */
  readonly unchanged: boolean;
  /**
   * All fixed bytes: those received, and behind them those sent when they differ. In memory of its
   * own: it lives as long as its stream.
   */
  readonly #fixed: Buffer;
  /** The ends in `#fixed` of the pieces before, between and after the varying strings. */
  readonly #receivedEnds: readonly number[];
  readonly #sentEnds: readonly number[];
  /** The holes between the pieces, in order. */
  readonly #holes: readonly Hole['kind'][];
  /** The index of the hole that is the delta. */
  readonly #deltaAt: number;
  readonly #starts: number[];
  readonly #ends: number[];
  /** Numbers of this match that have been read. */
  #numbersRead = 0;

  /** Pieces around what varies, `sent` undefined when events are passed on as they came. */
  constructor(
    received: readonly Buffer[],
    sent: readonly Buffer[] | undefined,
    holes: readonly Hole[],
  ) {
    const pieces = sent === undefined ? received : [...received, ...sent];
    let length = 0;
    const ends = pieces.map((piece) => (length += piece.length));
    this.#fixed = Buffer.allocUnsafeSlow(length);
    for (const [index, piece] of pieces.entries()) {
      piece.copy(this.#fixed, (ends[index] ?? 0) - piece.length);
    }
    this.unchanged = sent === undefined;
    this.#receivedEnds = ends.slice(0, received.length);
    this.#sentEnds = sent === undefined ? this.#receivedEnds : ends.slice(received.length);
    this.#holes = holes.map(({ kind }) => kind);
    this.#deltaAt = this.#holes.indexOf('delta');
    this.numberKeys = holes.filter(({ kind }) => kind === 'number').map(({ key }) => key);
    this.numbers = this.numberKeys.map(() => 0);
    this.#starts = holes.map(() => 0);
    this.#ends = holes.map(() => 0);
  }

  /** The offset behind the event that starts at `start` when it fits this template, else -1. */
  match(bytes: Buffer, start: number): number {
    const fixed = this.#fixed;
    const ends = this.#receivedEnds;
    this.#numbersRead = 0;
    let pieceEnd = ends[0] ?? 0;
    let index = start + pieceEnd;
    if (bytes[index - 1] !== fixed[pieceEnd - 1]) return -1;
    if (bytes.compare(fixed, 0, pieceEnd, start, index) !== 0) return -1;
    for (let hole = 1; hole < ends.length; hole += 1) {
      this.#starts[hole - 1] = index;
      index = this.#skipHole(bytes, index, hole - 1);
      if (index === -1) return -1;
      this.#ends[hole - 1] = index;
      const pieceStart = pieceEnd;
      pieceEnd = ends[hole] ?? 0;
      const end = index + pieceEnd - pieceStart;
      if (pieceEnd - pieceStart >= NATIVE_COMPARE_BYTES) {
        if (end > bytes.length) return -1;
        if (bytes.compare(fixed, pieceStart, pieceEnd, index, end) !== 0) return -1;
      } else {
        for (let at = pieceStart; at < pieceEnd; at += 1) {
          if (bytes[index + at - pieceStart] !== fixed[at]) return -1;
        }
      }
      index = end;
    }
    this.textStart = this.#starts[this.#deltaAt] ?? 0;
    this.textEnd = this.#ends[this.#deltaAt] ?? 0;
    return index;
  }

  /** Writes what the last matched event is sent on as. */
  write(bytes: Buffer, out: ByteWriter): void {
    const ends = this.#sentEnds;
    let pieceStart = this.unchanged ? 0 : (this.#receivedEnds.at(-1) ?? 0);
    for (let piece = 0; piece < ends.length; piece += 1) {
      const pieceEnd = ends[piece] ?? 0;
      out.append(this.#fixed, pieceStart, pieceEnd);
      pieceStart = pieceEnd;
      if (piece < ends.length - 1) {
        out.append(bytes, this.#starts[piece] ?? 0, this.#ends[piece] ?? 0);
      }
    }
  }

  /** The offset behind what varies, -1 when it is not of its kind. */
  #skipHole(bytes: Buffer, start: number, hole: number): number {
    if (hole === this.#deltaAt) return this.#countString(bytes, start);
    return this.#holes[hole] === 'number'
      ? this.#readNumber(bytes, start)
      : skipString(bytes, start);
  }

  #readNumber(bytes: Buffer, start: number): number {
    let number = 0;
    let index = start;
    for (; index < start + NUMBER_DIGITS_MAX; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte < DIGIT_0 || byte > DIGIT_9) break;
      number = number * 10 + byte - DIGIT_0;
    }
    this.numbers[this.#numbersRead] = number;
    this.#numbersRead += 1;
    // "017" is no number of JSON: the client would fail where the reader of the whole event does.
    if (bytes[start] === DIGIT_0 && index > start + 1) return -1;
    return index === start ? -1 : index;
  }

  /** The offset of the string's closing quote, -1 when the string is cut off or not valid JSON. */
  #countString(bytes: Buffer, start: number): number {
    let narrow = 0;
    let wide = 0;
    for (let index = start; index < bytes.length; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte === QUOTE) {
        this.narrowCharacters = narrow;
        this.wideCharacters = wide;
        return index;
      }
      if (byte < FIRST_PRINTABLE) return -1;
      if (byte === BACKSLASH) {
        index += 1;
        const escaped = bytes[index] ?? 0;
        if (escaped === LETTER_U) {
          if (!isHexadecimal(bytes, index + 1)) return -1;
          if (isNarrowEscape(bytes, index + 1)) narrow += 1;
          else wide += 1;
          index += 4;
        } else if (SIMPLE_ESCAPES.has(escaped)) narrow += 1;
        else return -1;
      } else if (byte < FIRST_CONTINUATION) narrow += 1;
      // The first byte of a character says how many bytes it has; those that continue it count for
      // nothing.
      else if (byte >= FIRST_OF_FOUR_BYTES) wide += 2;
      else if (byte >= FIRST_OF_THREE_BYTES) wide += 1;
      else if (byte >= FIRST_OF_TWO_BYTES) narrow += 1;
    }
    return -1;
  }
}

/** Four digits, as \u must have: an escape that is cut short could hide the end of its string. */
function isHexadecimal(bytes: Buffer, start: number): boolean {
  for (let index = start; index < start + 4; index += 1) {
    const byte = bytes[index] ?? 0;
    const letter = byte | LOWER_CASE_BIT;
    const digit = byte >= DIGIT_0 && byte <= DIGIT_9;
    if (!digit && (letter < LETTER_A || letter > LETTER_F)) return false;
  }
  return true;
}

/** Reports whether four hexadecimal digits are a character below U+0800. */
function isNarrowEscape(bytes: Buffer, digits: number): boolean {
  return bytes[digits] === DIGIT_0 && (bytes[digits + 1] ?? DIGIT_8) < DIGIT_8;
}

function skipString(bytes: Buffer, start: number): number {
  for (let index = start; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) return index;
    // The padding is letters and digits; anything else is worth a look at the whole event.
    if (byte < FIRST_PRINTABLE || byte === BACKSLASH) return -1;
  }
  return -1;
}

/**
 * Learns a template. Returns undefined when the varying strings cannot be distinguished from the
 * rest with certainty.
 */
export function learnTemplate(example: TemplateExample): ChunkTemplate | undefined {
  const { received, sent } = example;
  if (received.length > TEMPLATE_BYTES_MAX || sent.length > TEMPLATE_BYTES_MAX) return undefined;
  const receivedHoles = findHoles(received, example);
  const sentHoles = sent === received ? receivedHoles : findHoles(sent, example);
  if (receivedHoles === undefined || sentHoles === undefined) return undefined;
  const keys = receivedHoles.map(({ key }) => key);
  if (keys.join() !== sentHoles.map(({ key }) => key).join()) return undefined;
  const pieces = piecesAround(received, receivedHoles);
  const sentPieces = sent === received ? undefined : piecesAround(sent, sentHoles);
  return new ChunkTemplate(pieces, sentPieces, receivedHoles);
}

/** The fixed bytes before, between and after the spans. */
function piecesAround(block: Buffer, spans: readonly Span[]): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    pieces.push(block.subarray(from, start));
    from = end;
  }
  pieces.push(block.subarray(from));
  return pieces;
}
