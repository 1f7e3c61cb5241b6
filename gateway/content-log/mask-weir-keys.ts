/**
 * Weir's keys and access tokens, behind anything but a letter or a digit, or behind an escape
 * sequence of JSON. Names of other things have no digit, or are shorter.
 */
const WEIR_KEY =
  /(?<=^|[^A-Za-z0-9]|\\[bfnrt]|\\u[0-9a-fA-F]{4})(?:sk-|weir_pat_|whsec_)(?=[\w-]{0,60}\d)[\w-]{16,}/g;
/** The beginnings of all that the expression finds; few bodies have one. */
const BEGINNINGS = ['sk-', 'weir_pat_', 'whsec_'];
const SHOWN_CHARACTERS = 9;
const CUT = '...';

/**
 * The same bytes with each key of Weir shortened to its beginning; the very same buffer where it
 * has none. Everything else stays, as it is the owner's. A key that comes in pieces, such as in
 * the events of a stream, is not recognised.
 */
export function maskWeirKeys(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!BEGINNINGS.some((beginning) => buffer.includes(beginning))) return bytes;
  // Latin-1 keeps every byte as one character.
  const text = buffer.toString('latin1');
  const masked = text.replace(WEIR_KEY, (key) => key.slice(0, SHOWN_CHARACTERS) + CUT);
  return masked === text ? bytes : Buffer.from(masked, 'latin1');
}
