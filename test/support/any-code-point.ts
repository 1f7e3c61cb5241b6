import fc from 'fast-check';

/**
 * A unit for `fc.string`: any character. Its own unit `binary` first makes a table of all of them,
 * which costs each process a second.
 */
export const anyCodePoint = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code));
