import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { MadeImages } from '../../neutral-form/translations/made-images.ts';
import { imagesUsage } from '../wire/image-counts.ts';

const SECOND_MS = 1_000;

/**
 * Returns OpenAI's reply with the images of another vendor; undefined where there are none.
 */
export function imagesBody(made: MadeImages | undefined): Buffer | undefined {
  if (made === undefined) return undefined;
  const { images, usage } = made;
  const [first] = images;
  if (first === undefined) return undefined;
  const format = /^image\/(png|jpeg|webp)$/.exec(first.mediaType)?.[1];
  const reply = {
    created: Math.floor(Date.now() / SECOND_MS),
    data: images.map(({ base64 }) => ({ b64_json: base64 })),
    ...(format === undefined ? {} : { output_format: format }),
    ...(usage === null ? {} : { usage: usageOf(usage) }),
  };
  return Buffer.from(JSON.stringify(reply));
}

/** Without a report of kinds, all output is tokens of images, as in OpenAI's own replies. */
function usageOf(counts: TokenCounts): object {
  const { output_tokens_details: kinds, ...usage } = imagesUsage(counts);
  return counts.extra?.imageOutput === undefined
    ? usage
    : { ...usage, output_tokens_details: kinds };
}
