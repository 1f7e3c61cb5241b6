/** Codings that one body may have (RFC 9110, 8.4): more of them only make work. */
export const CODINGS_MAX = 3;

/** The method "deflate", in the low half of the first byte of zlib's header (RFC 1950, 2.2). */
const ZLIB_METHOD = 0x08;

/**
 * Reports whether bytes in "deflate" have zlib's header, which some clients and servers leave out.
 */
export function hasZlibHeader(first: number): boolean {
  return (first & 0x0f) === ZLIB_METHOD;
}
