import { readFileSync } from 'node:fs';

/** Answered instead of an offset where the bytes are not JSON, or not what a visitor expects. */
export const NO_MATCH = -1;

/** Looks at the members of an object, one after the other. */
export interface MemberVisitor {
  /**
   * @param keyStart and @param keyEnd the key without its quotes
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
/** Capitals and lower-case letters differ in this bit only. */
const LOWER_CASE_BIT = 0x20;
export const NULL = ascii('null');

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
  readonly memory: Uint8Array;
}

const PAGE_BYTES = 65_536;
/**
 * Free behind the document: skim.wat reads up to 16 bytes at once, and ends at the first, which is
 * 0.
 */
const BYTES_BEHIND = 32;
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
  if (known !== undefined && documentBytes + BYTES_BEHIND <= known.memory.length) return known;
  const scanMemory = openScanMemory(documentBytes);
  large = new WeakRef(scanMemory);
  return scanMemory;
}

function openScanMemory(documentBytes: number): ScanMemory {
  const initial = Math.ceil((documentBytes + BYTES_BEHIND) / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial, maximum: initial });
  const { exports } = new WebAssembly.Instance(program, { document: { memory } });
  return { skim: exports as Skim, memory: new Uint8Array(memory.buffer) };
}

/**
 * Walks JSON bytes without building what they spell, as strictly as JSON.parse. Every method takes
 * the offset of the first byte of something and answers the offset behind it, or NO_MATCH.
 *
 * Values without a visitor are walked by WebAssembly, which looks at sixteen bytes at once. One
 * skimmer is used at a time: the next one writes where the bytes of the last one lie.
 */
export class Skimmer {
  readonly bytes: Buffer;
  readonly #skim: Skim;

  constructor(bytes: Buffer) {
    const scanMemory = scanMemoryFor(bytes.length);
    scanMemory.memory.set(bytes);
    scanMemory.memory.fill(0, bytes.length, bytes.length + BYTES_BEHIND);
    this.bytes = bytes;
    this.#skim = scanMemory.skim;
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

  string(at: number): number {
    return this.#skim.string(at);
  }

  /** @param levels of nesting that are allowed from here on; an object or array takes one. */
  value(at: number, levels: number): number {
    return this.#skim.value(at, levels);
  }

  object(at: number, levels: number, visitor: MemberVisitor): number {
    const { bytes } = this;
    if (levels === 0) return NO_MATCH;
    let index = this.whiteSpace(at + 1);
    if (bytes[index] === CLOSE_BRACE) return index + 1;
    for (;;) {
      const keyEnd = this.string(index);
      if (keyEnd === NO_MATCH) return NO_MATCH;
      const colon = this.whiteSpace(keyEnd);
      if (bytes[colon] !== COLON) return NO_MATCH;
      const end = visitor.member(index + 1, keyEnd - 1, this.whiteSpace(colon + 1));
      if (end === NO_MATCH) return NO_MATCH;
      index = this.whiteSpace(end);
      if (bytes[index] === CLOSE_BRACE) return index + 1;
      if (bytes[index] !== COMMA) return NO_MATCH;
      index = this.whiteSpace(index + 1);
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

/**
 * ASCII text to compare bytes with. Strings of several representations would meet in one loop
 * otherwise, and V8 would look up the length of each again.
 */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

/** Reports whether the bytes at an offset are a given text. */
export function isTextAt(bytes: Buffer, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text[index]) return false;
  }
  return true;
}

/** Reports whether the bytes at an offset are a given lower-case text, in any case. */
export function isTextInAnyCaseAt(bytes: Buffer, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (((bytes[at + index] ?? 0) | LOWER_CASE_BIT) !== text[index]) return false;
  }
  return true;
}

/** Reports whether a key's bytes are its text: plain ASCII without escapes. */
export function isPlainKey(bytes: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === BACKSLASH || byte > 0x7f) return false;
  }
  return true;
}
