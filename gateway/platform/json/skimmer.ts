import { readFileSync } from 'node:fs';

/** Answered instead of an offset where the bytes are not JSON, or not what a visitor expects. */
export const NO_MATCH = -1;

/** Looks at the members of an object, one after the other. */
export interface MemberVisitor {
  /**
   * @param keyStart and @param keyEnd the key without its quotes: plain ASCII without escapes
   * @param at the first byte of the value
   * @returns the offset behind the value, or NO_MATCH
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
const COLON = 0x3a;
const BACKSLASH = 0x5c;
export const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const ASCII_MAX = 0x7f;
/** Capitals and lower-case letters differ in one bit only; this is it in each of four bytes. */
const LOWER_CASE_BITS = 0x20202020;

/** The exports of skim.wat. */
interface Skim {
  /** The offset behind the string that begins at an offset, or NO_MATCH. */
  readonly string: (at: number) => number;
  /** The offset behind any value. */
  readonly value: (at: number, levels: number) => number;
}

/** A copy of the bytes and zeros behind them, where skim.wat finds them. */
interface ScanMemory {
  readonly skim: Skim;
  readonly bytes: Buffer;
  readonly view: DataView;
}

const PAGE_BYTES = 65_536;
/**
 * Free behind the document: skim.wat reads up to 16 bytes at once, `isTextAt` the end of a text,
 * and both end at the first, which is 0.
 */
const BYTES_BEHIND = 64;
/**
 * Documents of up to this size share one memory for good; larger ones another, until the next
 * garbage collection.
 */
const SHARED_DOCUMENT_BYTES_MAX = 1_048_576;

const program = new WebAssembly.Module(readFileSync(new URL('./skim.wasm', import.meta.url)));
const shared = openScanMemory(SHARED_DOCUMENT_BYTES_MAX);
let large: WeakRef<ScanMemory> | undefined;

function scanMemoryFor(documentBytes: number): ScanMemory {
  if (documentBytes <= SHARED_DOCUMENT_BYTES_MAX) return shared;
  const known = large?.deref();
  if (known !== undefined && documentBytes + BYTES_BEHIND <= known.bytes.length) return known;
  const scanMemory = openScanMemory(documentBytes);
  large = new WeakRef(scanMemory);
  return scanMemory;
}

function openScanMemory(documentBytes: number): ScanMemory {
  const initial = Math.ceil((documentBytes + BYTES_BEHIND) / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial, maximum: initial });
  const { exports } = new WebAssembly.Instance(program, { document: { memory } });
  const { buffer } = memory;
  return { skim: exports as Skim, bytes: Buffer.from(buffer), view: new DataView(buffer) };
}

const WORD_BYTES = 4;

/**
 * ASCII text to be compared with bytes four at once: one by one, the bytes of names took a quarter
 * of the time of a large request.
 */
export class AsciiText {
  readonly length: number;
  /** All but the last one to four bytes. */
  readonly words: Int32Array;
  /** The last four bytes. */
  readonly lastWord: number;

  constructor(text: string) {
    if (text.length < WORD_BYTES || text.length > BYTES_BEHIND) {
      throw new RangeError(`"${text}" is too short or too long to be compared`);
    }
    const bytes = Buffer.from(text, 'latin1');
    const words = Math.ceil(text.length / WORD_BYTES) - 1;
    this.length = text.length;
    this.words = Int32Array.from({ length: words }, (_, word) =>
      bytes.readInt32LE(word * WORD_BYTES),
    );
    this.lastWord = bytes.readInt32LE(text.length - WORD_BYTES);
  }
}

export const NULL = new AsciiText('null');

/**
 * Walks JSON bytes without building what they spell, as strictly as JSON.parse. Every method takes
 * the offset of the first byte of something and answers the offset behind it, or NO_MATCH.
 *
 * Values without a visitor are walked by WebAssembly, which looks at sixteen bytes at once. One
 * skimmer is used at a time: the next one writes where the bytes of the last one lie.
 */
export class Skimmer {
  /**
   * The copy, with a 0 behind the last byte. WebAssembly has just read what is looked at here, so
   * that it lies in the nearest cache; the bytes that came do not.
   */
  readonly bytes: Buffer;
  readonly #view: DataView;
  readonly #skim: Skim;

  constructor(document: Buffer) {
    const { skim, bytes, view } = scanMemoryFor(document.length);
    bytes.set(document);
    bytes.fill(0, document.length, document.length + BYTES_BEHIND);
    this.bytes = bytes;
    this.#view = view;
    this.#skim = skim;
  }

  /** Reports whether the bytes at an offset are a given text. */
  isTextAt(at: number, { words, length, lastWord }: AsciiText): boolean {
    const view = this.#view;
    for (let word = 0; word < words.length; word += 1) {
      if (view.getInt32(at + word * WORD_BYTES, true) !== words[word]) return false;
    }
    return view.getInt32(at + length - WORD_BYTES, true) === lastWord;
  }

  /** Reports whether the bytes at an offset are four lower-case letters, in any case. */
  isWordInAnyCaseAt(at: number, { lastWord }: AsciiText): boolean {
    return (this.#view.getInt32(at, true) | LOWER_CASE_BITS) === lastWord;
  }

  whiteSpace(at: number): number {
    const { bytes } = this;
    let index = at;
    for (;;) {
      const byte = bytes[index] ?? 0;
      if (byte > SPACE) return index;
      if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) {
        return index;
      }
      index += 1;
    }
  }

  string(at: number): number {
    return this.#skim.string(at);
  }

  /** @param levels of nesting that are allowed from here on; an object or array takes one. */
  value(at: number, levels: number): number {
    return this.#skim.value(at, levels);
  }

  /** NO_MATCH also where a key is no plain ASCII. */
  object(at: number, levels: number, visitor: MemberVisitor): number {
    const { bytes } = this;
    if (levels === 0) return NO_MATCH;
    let index = this.whiteSpace(at + 1);
    if (bytes[index] === CLOSE_BRACE) return index + 1;
    for (;;) {
      const keyEnd = this.#plainKey(index);
      if (keyEnd === NO_MATCH) return NO_MATCH;
      const colon = this.whiteSpace(keyEnd + 1);
      if (bytes[colon] !== COLON) return NO_MATCH;
      const end = visitor.member(index + 1, keyEnd, this.whiteSpace(colon + 1));
      if (end === NO_MATCH) return NO_MATCH;
      index = this.whiteSpace(end);
      if (bytes[index] === CLOSE_BRACE) return index + 1;
      if (bytes[index] !== COMMA) return NO_MATCH;
      index = this.whiteSpace(index + 1);
    }
  }

  /**
   * Returns the offset of the quote that ends a key, or NO_MATCH where the key is no plain ASCII.
   * Most keys have fewer bytes than a call of WebAssembly costs.
   */
  #plainKey(at: number): number {
    const { bytes } = this;
    if (bytes[at] !== QUOTE) return NO_MATCH;
    let index = at + 1;
    for (;;) {
      const byte = bytes[index] ?? 0;
      if (byte === QUOTE) return index;
      if (byte < SPACE || byte === BACKSLASH || byte > ASCII_MAX) return NO_MATCH;
      index += 1;
    }
  }

  array(at: number, levels: number, visitor: ElementVisitor): number {
    const { bytes } = this;
    if (levels === 0) return NO_MATCH;
    let index = this.whiteSpace(at + 1);
    if (bytes[index] === CLOSE_BRACKET) return index + 1;
    for (;;) {
      const end = visitor.element(index);
      if (end === NO_MATCH) return NO_MATCH;
      index = this.whiteSpace(end);
      if (bytes[index] === CLOSE_BRACKET) return index + 1;
      if (bytes[index] !== COMMA) return NO_MATCH;
      index = this.whiteSpace(index + 1);
    }
  }
}

/** Reports whether bytes of a string are its text: plain ASCII without escapes. */
export function isPlainText(bytes: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === BACKSLASH || byte > ASCII_MAX) return false;
  }
  return true;
}
