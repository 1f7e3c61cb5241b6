const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Brackets and braces differ in this bit only: "[" | 0x20 is "{". */
const BRACE_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Returns the objects in a list of JSON, in their bytes. Strings, which have megabytes, are only
 * searched for their end.
 */
export function elementsOf(list: Buffer): readonly Buffer[] {
  const elements: Buffer[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < list.length; index += 1) {
    const byte = list[index] ?? 0;
    if (byte === QUOTE) index = stringEnd(list, index + 1);
    else if ((byte | BRACE_BIT) === OPEN) {
      depth += 1;
      if (depth === 2) start = index;
    } else if ((byte | BRACE_BIT) === CLOSE) {
      if (depth === 2) elements.push(list.subarray(start, index + 1));
      depth -= 1;
    }
  }
  return elements;
}

/** Returns the offset of the quote that ends the string whose first byte is at `start`. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let from = start; ;) {
    const quote = bytes.indexOf(QUOTE, from);
    if (quote === -1) return bytes.length;
    let before = quote - 1;
    while (before >= start && bytes[before] === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote;
    from = quote + 1;
  }
}
