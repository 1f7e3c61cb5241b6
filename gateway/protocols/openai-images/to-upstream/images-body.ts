import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { imagesUsage } from '../wire/image-counts.ts';

const SECOND_MS = 1_000;

/** An image of an upstream's reply. */
export interface MadeImage {
  readonly base64: string;
  /** '' if it has none. */
  readonly mediaType: string;
}

/**
 * Returns OpenAI's reply with the images of another vendor; undefined where there are none.
 * @param usage null where the upstream reports none
 */
export function imagesBody(
  images: readonly MadeImage[],
  usage: TokenCounts | null,
): Buffer | undefined {
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
