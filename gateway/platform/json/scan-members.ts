/**
 * Where the members of a JSON document's outermost object lie, found by one pass over the bytes and
 * before anything is parsed. It serves two ends: nesting bombs are refused before JSON.parse meets
 * them, and single fields of a large body can be replaced without rewriting the whole of it.
 *
 * The scan does not validate. It is exact for valid JSON, so it is used together with JSON.parse;
 * on anything else it still ends, within one pass.
 */
export interface MemberSpans {
  /**
   * Four offsets per member: key start, key end (both without quotes), value start, value end (end
   * exclusive; white space around the value may be included).
   */
  readonly offsets: readonly number[];
  readonly count: number;
  /** True when nesting exceeded the limit; the scan stopped there. */
  readonly tooDeep: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/**
 * Strings longer than this are searched natively: the call costs about as much as this many loop
 * turns.
 */
const NATIVE_SEARCH_BYTES = 64;
/** Brackets and braces differ in this bit only: "[" | 0x20 is "{". */
const BRACE_BIT = 0x20;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** @param depthMax levels of nesting that are allowed; an object of plain values has one. */
export function scanMembers(bytes: Buffer, depthMax: number): MemberSpans {
  const offsets: number[] = [];
  const length = bytes.length;
  let depth = 0;
  let keyStart = -1;
  let keyEnd = -1;
  let valueStart = -1;
  let index = 0;
  while (index < length) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) {
      const end = stringEnd(bytes, index + 1);
      if (depth === 1 && valueStart === -1) {
        keyStart = index + 1;
        keyEnd = end;
      }
      index = end;
    } else if ((byte | BRACE_BIT) === OPEN_BRACE) {
      depth += 1;
      if (depth > depthMax) return { offsets, count: 0, tooDeep: true };
    } else if ((byte | BRACE_BIT) === CLOSE_BRACE) {
      depth -= 1;
      if (depth === 0) {
        if (valueStart !== -1) offsets.push(keyStart, keyEnd, valueStart, index);
        return { offsets, count: offsets.length / 4, tooDeep: false };
      }
    } else if (depth === 1) {
      if (byte === COLON) {
        valueStart = index + 1;
      } else if (byte === COMMA) {
        offsets.push(keyStart, keyEnd, valueStart, index);
        valueStart = -1;
      }
    }
    index += 1;
  }
  return { offsets, count: offsets.length / 4, tooDeep: false };
}

/** The offset of the quote that ends the string whose first byte is at `start`, or the length. */
function stringEnd(bytes: Buffer, start: number): number {
  const near = Math.min(start + NATIVE_SEARCH_BYTES, bytes.length);
  let index = start;
  while (index < near) {
    const byte = bytes[index];
    if (byte === QUOTE) return index;
    index += byte === BACKSLASH ? 2 : 1;
  }
  const quote = findClosingQuote(bytes, index);
  return quote === -1 ? bytes.length : quote;
}

/**
 * The offset of the quote that ends a string, -1 without one; `from` is within the string and not
 * behind a backslash.
 */
function findClosingQuote(bytes: Buffer, from: number): number {
  let index = from;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, index);
    if (quote === -1) return -1;
    let before = quote - 1;
    while (before >= index && bytes[before] === BACKSLASH) before -= 1;
    // An even number of backslashes escapes itself; an odd one escapes the quote.
    if ((quote - before) % 2 === 1) return quote;
    index = quote + 1;
  }
}

/**
 * The number of the first member with this name, -1 when there is none. Keys written with escapes
 * are not found here: `readObject` refuses documents where that could matter.
 */
export function findMember(bytes: Buffer, members: MemberSpans, name: string): number {
  const { offsets, count } = members;
  for (let member = 0; member < count; member += 1) {
    const start = offsets[member * 4] ?? 0;
    const end = offsets[member * 4 + 1] ?? 0;
    if (end - start === name.length && matchesAt(bytes, start, name)) return member;
  }
  return -1;
}

function matchesAt(bytes: Buffer, start: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[start + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}

/** Longer texts are seldom names. */
const NAME_BYTES_MAX = 64;
const NAME = /^[\w.:-]*$/;

/** Returns the parsed value of a member; undefined where there is none. */
export function memberValue(
  { bytes, members }: { readonly bytes: Buffer; readonly members: MemberSpans },
  name: string,
): unknown {
  const member = findMember(bytes, members, name);
  if (member === -1) return undefined;
  const start = members.offsets[member * 4 + 2] ?? 0;
  const end = members.offsets[member * 4 + 3] ?? 0;
  // Types and ids of events have nothing that must be parsed.
  if (bytes[start] === QUOTE && end - start <= NAME_BYTES_MAX) {
    const name = bytes.toString('latin1', start + 1, end - 1);
    if (bytes[end - 1] === QUOTE && NAME.test(name)) return name;
  }
  return JSON.parse(bytes.toString('utf8', start, end)) as unknown;
}
