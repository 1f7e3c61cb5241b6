const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Strings longer than this are searched natively: the call costs about as much as this many loop turns. */
export const NATIVE_SEARCH_BYTES = 64;

/** The offset of the quote that ends a string, -1 without one; `from` is within the string and not behind a backslash. */
export function findClosingQuote(bytes: Buffer, from: number): number {
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
