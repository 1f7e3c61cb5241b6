import { findClosingQuote, NATIVE_SEARCH_BYTES } from './closing-quote.ts';

/** Answered instead of an offset where the bytes are not JSON, or not what a visitor expects. */
export const NOT_EXPECTED = -1;

/** Looks at the members of an object, one after the other. */
export interface MemberVisitor {
  /**
   * @param keyStart and @param keyEnd the key without its quotes
   * @param at the first byte of the value
   * @returns the offset behind the value, or NOT_EXPECTED
   */
  member(keyStart: number, keyEnd: number, at: number): number;
}

/** Looks at the elements of an array; answers like `MemberVisitor.member`. */
export interface ElementVisitor {
  element(at: number): number;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
export const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
export const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** What may follow a backslash, beside "u". */
const ESCAPED = table('"\\/bfnrt');
const TRUE = ascii('true');
const FALSE = ascii('false');
export const NULL = ascii('null');
const SMALL_F = 0x66;
const SMALL_N = 0x6e;
const SMALL_T = 0x74;
const SMALL_U = 0x75;
const HEX_DIGITS = table('0123456789ABCDEFabcdef');

/** Pretty JSON has line breaks, which are wrong in strings; in compact JSON one native search rules them out. */
interface LineBreak {
  readonly byte: number;
  /** Where the next one is, seen from the last long string. */
  next: number;
}

/**
 * Walks JSON bytes without building what they spell: a fifth of what JSON.parse takes. Every method takes the offset of the
 * first byte of something and answers the offset behind it, or NOT_EXPECTED.
 *
 * It is as strict as JSON.parse but for one thing: in strings of more than 64 bytes only line breaks and tabs are found to
 * be wrong, no other control character and no escape that does not exist. Where such a string ends is certain all the same.
 */
export class Skimmer {
  readonly bytes: Buffer;
  readonly #lineBreaks: LineBreak[];

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#lineBreaks = [LINE_FEED, CARRIAGE_RETURN, TAB].flatMap((byte) => {
      const next = bytes.indexOf(byte);
      return next === -1 ? [] : [{ byte, next }];
    });
  }

  whiteSpace(at: number): number {
    const { bytes } = this;
    let index = at;
    while (index < bytes.length) {
      const byte = bytes[index] ?? 0;
      if (byte > SPACE) break;
      if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) break;
      index += 1;
    }
    return index;
  }

  /** @param levels of nesting that are allowed from here on; an object or array takes one. */
  value(at: number, levels: number): number {
    const byte = this.bytes[at] ?? 0;
    switch (byte) {
      case QUOTE:
        return this.string(at);
      case OPEN_BRACE:
        return this.object(at, levels);
      case OPEN_BRACKET:
        return this.array(at, levels);
      case SMALL_T:
        return this.#literal(at, TRUE);
      case SMALL_F:
        return this.#literal(at, FALSE);
      case SMALL_N:
        return this.#literal(at, NULL);
      default:
        return this.#number(at);
    }
  }

  object(at: number, levels: number, visitor?: MemberVisitor): number {
    const { bytes } = this;
    if (levels === 0) return NOT_EXPECTED;
    let index = this.whiteSpace(at + 1);
    if (bytes[index] === CLOSE_BRACE) return index + 1;
    for (;;) {
      const keyEnd = this.string(index);
      if (keyEnd === NOT_EXPECTED) return NOT_EXPECTED;
      const colon = this.whiteSpace(keyEnd);
      if (bytes[colon] !== COLON) return NOT_EXPECTED;
      const start = this.whiteSpace(colon + 1);
      let end: number;
      if (visitor !== undefined) end = visitor.member(index + 1, keyEnd - 1, start);
      else if (bytes[start] === QUOTE) end = this.string(start);
      else end = this.value(start, levels - 1);
      if (end === NOT_EXPECTED) return NOT_EXPECTED;
      index = this.whiteSpace(end);
      if (bytes[index] === CLOSE_BRACE) return index + 1;
      if (bytes[index] !== COMMA) return NOT_EXPECTED;
      index = this.whiteSpace(index + 1);
    }
  }

  array(at: number, levels: number, visitor?: ElementVisitor): number {
    const { bytes } = this;
    if (levels === 0) return NOT_EXPECTED;
    let index = this.whiteSpace(at + 1);
    if (bytes[index] === CLOSE_BRACKET) return index + 1;
    for (;;) {
      const end = visitor === undefined ? this.value(index, levels - 1) : visitor.element(index);
      if (end === NOT_EXPECTED) return NOT_EXPECTED;
      index = this.whiteSpace(end);
      if (bytes[index] === CLOSE_BRACKET) return index + 1;
      if (bytes[index] !== COMMA) return NOT_EXPECTED;
      index = this.whiteSpace(index + 1);
    }
  }

  string(at: number): number {
    const { bytes } = this;
    if (bytes[at] !== QUOTE) return NOT_EXPECTED;
    const near = Math.min(at + 1 + NATIVE_SEARCH_BYTES, bytes.length);
    let index = at + 1;
    while (index < near) {
      const byte = bytes[index] ?? 0;
      if (byte === QUOTE) return index + 1;
      if (byte < SPACE) return NOT_EXPECTED;
      if (byte === BACKSLASH) {
        index = this.#escape(index);
        if (index === NOT_EXPECTED) return NOT_EXPECTED;
      } else index += 1;
    }
    return this.#longString(index);
  }

  /** The rest of a string of which the last byte that was looked at is no backslash. */
  #longString(from: number): number {
    const quote = findClosingQuote(this.bytes, from);
    return quote === -1 || this.#hasLineBreak(from, quote) ? NOT_EXPECTED : quote + 1;
  }

  /** Asked about ever later bytes: each byte is searched once, however many long strings there are. */
  #hasLineBreak(from: number, to: number): boolean {
    for (const lineBreak of this.#lineBreaks) {
      if (lineBreak.next < from) {
        const next = this.bytes.indexOf(lineBreak.byte, from);
        lineBreak.next = next === -1 ? Infinity : next;
      }
      if (lineBreak.next < to) return true;
    }
    return false;
  }

  #escape(backslash: number): number {
    const { bytes } = this;
    const escaped = bytes[backslash + 1] ?? 0;
    if (ESCAPED[escaped] === 1) return backslash + 2;
    if (escaped !== SMALL_U) return NOT_EXPECTED;
    for (let index = backslash + 2; index < backslash + 6; index += 1) {
      if (HEX_DIGITS[bytes[index] ?? 0] !== 1) return NOT_EXPECTED;
    }
    return backslash + 6;
  }

  #literal(at: number, word: Uint8Array): number {
    return isTextAt(this.bytes, at, word) ? at + word.length : NOT_EXPECTED;
  }

  #number(at: number): number {
    const { bytes } = this;
    let index = bytes[at] === MINUS ? at + 1 : at;
    const whole = index;
    index = this.#digits(index);
    // No digit, or a zero before others.
    if (index === whole || (bytes[whole] === ZERO && index > whole + 1)) return NOT_EXPECTED;
    if (bytes[index] === POINT) {
      const fraction = index + 1;
      index = this.#digits(fraction);
      if (index === fraction) return NOT_EXPECTED;
    }
    // "E" and "e" differ in this bit only.
    if (((bytes[index] ?? 0) | 0x20) === 0x65) {
      const sign = bytes[index + 1];
      const exponent = sign === PLUS || sign === MINUS ? index + 2 : index + 1;
      index = this.#digits(exponent);
      if (index === exponent) return NOT_EXPECTED;
    }
    return index;
  }

  #digits(at: number): number {
    const { bytes } = this;
    let index = at;
    for (; index < bytes.length; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte < ZERO || byte > NINE) break;
    }
    return index;
  }
}

/** 1 at the places of some characters. */
function table(characters: string): Uint8Array {
  const marks = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) marks[byte] = 1;
  return marks;
}

/**
 * ASCII text to compare bytes with. Strings of several representations would meet in one loop otherwise, and V8 would
 * look up the length of each anew.
 */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

/** Whether text stands at an offset. */
export function isTextAt(bytes: Buffer, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text[index]) return false;
  }
  return true;
}

/** Whether a key spells what its bytes say: in plain ASCII, without escapes. */
export function isPlainKey(bytes: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === BACKSLASH || byte > 0x7f) return false;
  }
  return true;
}
