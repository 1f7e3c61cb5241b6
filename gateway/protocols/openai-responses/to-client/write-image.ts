import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { MediaSource } from '../../neutral-form/request.ts';
import { newItemId } from '../wire/output-items.ts';
import { imageItem } from '../wire/images.ts';
import type { Emit } from './open-texts.ts';

/** Writes the events of an image that is there at once; returns its item. */
export function writeImage(
  index: number,
  source: Exclude<MediaSource, { url: string }>,
  emit: Emit,
): OwnJsonObject {
  const id = newItemId('ig');
  const begun = imageItem(id, 'in_progress');
  emit('response.output_item.added', { output_index: index, item: begun });
  emit('response.image_generation_call.completed', { item_id: id, output_index: index });
  const item = imageItem(id, 'completed', source);
  emit('response.output_item.done', { output_index: index, item });
  return item;
}
