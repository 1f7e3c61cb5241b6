import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { MediaSource, UserPart } from '../../neutral-form/request.ts';

const PDF = 'application/pdf';

/** Writes a part of a user's message. */
export function writePart(part: UserPart): JsonObject {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image':
      return writeMedia(part.source, imageTypeOf(part.source));
    case 'audio':
      return { inlineData: { mimeType: `audio/${part.format}`, data: part.base64 } };
    case 'file': {
      const { source, name } = part;
      // Of files by address the neutral form has PDF alone.
      if (!('text' in source)) return writeMedia(source, isVideo(source) ? undefined : PDF);
      return { text: name === undefined ? source.text : `${name}\n${source.text}` };
    }
  }
}

/** The target's profile says who is sent addresses. */
function writeMedia(source: MediaSource, typeByAddress: string | undefined): JsonObject {
  return 'url' in source
    ? { fileData: { mimeType: typeByAddress, fileUri: source.url } }
    : { inlineData: { mimeType: source.mediaType, data: source.base64 } };
}

/** Videos that Google reads by their address; it knows their type. */
const VIDEO = /^https:\/\/(?:www\.)?(?:youtube\.com|youtu\.be)\//;

function isVideo(source: MediaSource): boolean {
  return 'url' in source && VIDEO.test(source.url);
}

const TYPES_BY_ENDING: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
]);

/** Undefined where neither the client nor the address says it: Gemini looks itself. */
function imageTypeOf(source: MediaSource): string | undefined {
  if (!('url' in source) || source.mediaType !== undefined) return source.mediaType;
  const ending = /\.(\w+)(?:[?#]|$)/.exec(source.url)?.[1] ?? '';
  return TYPES_BY_ENDING.get(ending.toLowerCase());
}
