import { isJsonObject, parseOwnObject } from '../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../platform/json/utf8-text.ts';
import {
  heldBack,
  type MadeImage,
  type MadeImages,
} from '../neutral-form/translations/made-images.ts';

const FILTERED = 'its filter held all of them back';

/** Reads the images of a reply; undefined when it is none. Tokens are not reported. */
export function readImages(body: Buffer): MadeImages | undefined {
  const reply = parseOwnObject(withoutByteOrderMark(body));
  // A list without elements is left out, as protocol buffers do.
  const isEmpty = reply !== undefined && Object.keys(reply).length === 0;
  const predictions = isEmpty ? [] : reply?.['predictions'];
  if (!Array.isArray(predictions)) return undefined;
  const images = predictions.flatMap((one: unknown): MadeImage[] => {
    const base64 = isJsonObject(one) ? one['bytesBase64Encoded'] : undefined;
    const mediaType = isJsonObject(one) ? one['mimeType'] : undefined;
    // What the vendor has filtered is there without an image.
    if (typeof base64 !== 'string' || base64 === '') return [];
    return [{ base64, mediaType: typeof mediaType === 'string' ? mediaType : '' }];
  });
  if (images.length > 0) return { images, usage: null };
  return { images, usage: null, notMade: heldBack(reasonOf(predictions)) };
}

function reasonOf(predictions: readonly unknown[]): string {
  const reasons = predictions.map((one) => (isJsonObject(one) ? one['raiFilteredReason'] : null));
  const reason = reasons.find((one) => typeof one === 'string' && one !== '');
  return typeof reason === 'string' ? reason : FILTERED;
}
