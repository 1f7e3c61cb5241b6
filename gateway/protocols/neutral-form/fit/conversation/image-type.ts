/** MIME types of images as vendors know them. */

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/x-webp', 'image/webp'],
]);

/** The first bytes of files, as base64 begins with them. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\/9j\//, 'image/jpeg'],
  [/^iVBORw0KGgo/, 'image/png'],
  [/^R0lGOD/, 'image/gif'],
  // "RIFF", four bytes of length, "WEBP".
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
];

/**
 * Returns the type of an image: by its first bytes, for vendors compare them with the type and
 * screenshots of agents often have the wrong one; otherwise the type that was named, in lower case,
 * without parameters, and by its registered name.
 */
export function imageType(base64: string, mediaType: string): string {
  const found = SIGNATURES.find(([signature]) => signature.test(base64));
  if (found !== undefined) return found[1];
  const named = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return OTHER_NAMES.get(named) ?? named;
}
