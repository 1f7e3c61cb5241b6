import { redactSecrets } from '@weir/shared/redact-secrets';
import type { MediaRules } from '../../../target-profile.ts';
import type { AudioPart, FilePart, ImagePart } from '../../request.ts';

/** Types of files whose bytes are a text. */
const TEXT_TYPE =
  /^(?:text\/.*|application\/(?:json|xml|yaml|x-yaml|javascript|x-sh)|.*\+(?:json|xml))$/;
const PDF = 'application/pdf';
/** "%PDF-" in base64. */
const PDF_SIGNATURE = 'JVBERi0';

const NOTHING_GIVEN =
  'cannot get an image or a file without its bytes or its URL. Files that were uploaded to a vendor cannot be used here: send the bytes as base64.';

/**
 * Returns a part as the target reads it, the same one where nothing has to change; or, where it
 * cannot read it, what follows "The upstream of this model".
 */
export function fittedPart<Part extends AudioPart | FilePart | ImagePart>(
  part: Part,
  rules: MediaRules,
): Part | FilePart | ImagePart | string {
  switch (part.type) {
    case 'audio':
      return rules.audio ? part : 'does not take audio. Send its transcript as text.';
    case 'image':
      return fittedImage(part, rules);
    case 'file':
      return fittedFile(part, rules);
  }
}

/** The names under which vendors know the MIME types of images, by others that are in use. */
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
function imageType(base64: string, mediaType: string): string {
  const found = SIGNATURES.find(([signature]) => signature.test(base64));
  if (found !== undefined) return found[1];
  const named = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return OTHER_NAMES.get(named) ?? named;
}

function fittedImage(image: ImagePart, rules: MediaRules): ImagePart | string {
  const { source } = image;
  if (rules.imageTypes.size === 0) {
    return 'reads no images. Leave them out, or choose a model that does.';
  }
  if ('url' in source) {
    if (source.url === '') return NOTHING_GIVEN;
    return rules.imageAddresses || isReadHost(source.url, rules)
      ? image
      : 'fetches no images. Send the bytes of the image as base64, not its URL.';
  }
  if (source.base64 === '') return NOTHING_GIVEN;
  const mediaType = imageType(source.base64, source.mediaType);
  if (!rules.imageTypes.has(mediaType)) {
    const taken = [...rules.imageTypes].join(', ');
    return `takes images of the types ${taken}, not "${shown(mediaType)}". Convert the image.`;
  }
  return mediaType === source.mediaType ? image : { ...image, source: { ...source, mediaType } };
}

function fittedFile(file: FilePart, rules: MediaRules): FilePart | ImagePart | string {
  const { source } = file;
  if ('text' in source) return file;
  if ('url' in source) {
    if (source.url === '') return NOTHING_GIVEN;
    return rules.pdfAddresses || isReadHost(source.url, rules)
      ? file
      : 'fetches no files. Send the bytes of the file as base64, not its URL.';
  }
  const { base64 } = source;
  if (base64 === '') return NOTHING_GIVEN;
  const named = (source.mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (TEXT_TYPE.test(named)) {
    return { ...file, source: { text: Buffer.from(base64, 'base64').toString('utf8') } };
  }
  if (imageType(base64, named).startsWith('image/')) return fittedImage(asImage(file), rules);
  if (!rules.pdf) return `reads no files of the type "${shown(named)}". Send their text.`;
  const mediaType = base64.startsWith(PDF_SIGNATURE) ? PDF : named;
  if (rules.fileTypes?.has(mediaType) === false) {
    return `reads no files of the type "${shown(mediaType)}". Send their text.`;
  }
  return mediaType === source.mediaType ? file : { ...file, source: { base64, mediaType } };
}

function asImage({ source, cache }: FilePart): ImagePart {
  const bytes = 'text' in source ? { url: '' } : source;
  return { type: 'image', source: bytes, ...(cache === undefined ? {} : { cache }) };
}

function isReadHost(url: string, { addressHosts }: MediaRules): boolean {
  if (addressHosts === undefined || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && addressHosts.has(hostname);
}

function shown(mediaType: string): string {
  return redactSecrets(mediaType).slice(0, 64);
}
