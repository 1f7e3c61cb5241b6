import { withoutByteOrderMark } from '../../../platform/json/byte-order-mark.ts';
import { isJsonObject, parseOwnObject } from '../../../platform/json/json-value.ts';
import type { MadeImage, MadeImages } from '../../neutral-form/translations/made-images.ts';
import { fieldOf, listOf } from '../fields.ts';
import { readUsage } from '../usage.ts';

/** Reads the images of a reply; undefined when it is none. */
export function readImages(body: Buffer): MadeImages | undefined {
  const reply = parseOwnObject(withoutByteOrderMark(body));
  if (reply === undefined) return undefined;
  const images = listOf(fieldOf(reply, 'candidates')).flatMap((candidate) => {
    const content = isJsonObject(candidate) ? fieldOf(candidate, 'content') : undefined;
    return isJsonObject(content) ? listOf(fieldOf(content, 'parts')).flatMap(imageOf) : [];
  });
  return { images, usage: readUsage(fieldOf(reply, 'usageMetadata')) ?? null };
}

/** Images that the model makes while it thinks are drafts. */
function imageOf(part: unknown): MadeImage[] {
  if (!isJsonObject(part) || part['thought'] === true) return [];
  const inline = fieldOf(part, 'inlineData');
  if (!isJsonObject(inline)) return [];
  const data = fieldOf(inline, 'data');
  const mediaType = fieldOf(inline, 'mimeType');
  if (typeof data !== 'string' || data === '') return [];
  return [{ base64: data, mediaType: typeof mediaType === 'string' ? mediaType : '' }];
}
