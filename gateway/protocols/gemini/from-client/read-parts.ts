import type { Refusal } from '../../../platform/errors/refusal.ts';
import { stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import type { UserPart } from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { fieldOf } from '../fields.ts';

/** Formats of audio by the end of their media type, where they are called otherwise elsewhere. */
const AUDIO_FORMATS: ReadonlyMap<string, string> = new Map([
  ['mpeg', 'mp3'],
  ['x-wav', 'wav'],
  ['wave', 'wav'],
  ['L16', 'pcm16'],
]);

/** Bytes within a request as a neutral part; a refusal where no other protocol has such a thing. */
export function readInlineData(inline: JsonObject, param: string): UserPart | Refusal {
  const base64 = stringOf(inline['data']);
  const mediaType = stringOf(fieldOf(inline, 'mimeType'));
  const [kind, subtype = ''] = mediaType.split(';', 1)[0]?.split('/') ?? [];
  switch (kind) {
    case 'image':
      return { type: 'image', source: { base64, mediaType } };
    case 'audio':
      return { type: 'audio', base64, format: AUDIO_FORMATS.get(subtype) ?? subtype };
    case 'text':
      return { type: 'file', source: { text: Buffer.from(base64, 'base64').toString('utf8') } };
    default:
      return mediaType === 'application/pdf'
        ? { type: 'file', source: { base64, mediaType }, ...named(inline) }
        : refuseMedia(mediaType, param);
  }
}

/** A file at an address. */
export function readFileData(file: JsonObject, param: string): UserPart | Refusal {
  const url = stringOf(fieldOf(file, 'fileUri'));
  const mediaType = stringOf(fieldOf(file, 'mimeType'));
  if (mediaType.startsWith('image/')) return { type: 'image', source: { url } };
  return mediaType === 'application/pdf'
    ? { type: 'file', source: { url }, ...named(file) }
    : refuseMedia(mediaType, param);
}

function named(file: JsonObject): { readonly name?: string } {
  const name = stringOf(fieldOf(file, 'displayName'));
  return name === '' ? {} : { name };
}

function refuseMedia(mediaType: string, param: string): Refusal {
  return invalidValue(
    param,
    `The upstream of this model takes no "${mediaType}". Send text, image/*, audio/* or application/pdf.`,
  );
}
