import {
  stringOf,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { mediaSource } from '../../neutral-form/media-url.ts';
import type { ImagePart, MediaSource } from '../../neutral-form/request.ts';
import type { ItemStatus } from './output-items.ts';

/** The format of images that name none. */
const DEFAULT_FORMAT = 'png';

/**
 * The image of an `image_generation_call`; none where it is not there yet, or is kept at the
 * upstream. OpenRouter has `data:` URLs there.
 */
export function readMadeImage(item: JsonObject): ImagePart[] {
  const result = stringOf(item['result']);
  if (result === '') return [];
  if (/^(?:data|https?):/.test(result)) return [{ type: 'image', source: mediaSource(result) }];
  const format = stringOf(item['output_format']) || DEFAULT_FORMAT;
  const mediaType = `image/${format === 'jpg' ? 'jpeg' : format}`;
  return [{ type: 'image', source: { base64: result, mediaType } }];
}

/** @param source undefined while the image is being made */
export function imageItem(
  id: string,
  status: ItemStatus,
  source?: Exclude<MediaSource, { url: string }>,
): OwnJsonObject {
  const item = { id, type: 'image_generation_call', status };
  if (source === undefined) return { ...item, result: null };
  const [format = ''] = source.mediaType.replace(/^image\//, '').split(';', 1);
  return { ...item, result: source.base64, output_format: format || DEFAULT_FORMAT };
}
