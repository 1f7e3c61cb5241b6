import { withoutByteOrderMark } from '../../platform/json/byte-order-mark.ts';
import { isJsonObject, parseOwnObject } from '../../platform/json/json-value.ts';
import type { MadeImage, MadeImages } from '../neutral-form/translations/made-images.ts';

/** Reads the images of a reply; undefined when it is none. Tokens are not reported. */
export function readImages(body: Buffer): MadeImages | undefined {
  const predictions = parseOwnObject(withoutByteOrderMark(body))?.['predictions'];
  if (!Array.isArray(predictions)) return undefined;
  const images = predictions.flatMap((one: unknown): MadeImage[] => {
    const base64 = isJsonObject(one) ? one['bytesBase64Encoded'] : undefined;
    const mediaType = isJsonObject(one) ? one['mimeType'] : undefined;
    // What the vendor has filtered is there without an image.
    if (typeof base64 !== 'string' || base64 === '') return [];
    return [{ base64, mediaType: typeof mediaType === 'string' ? mediaType : '' }];
  });
  return { images, usage: null };
}
