import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { MadeImages } from '../../neutral-form/translations/made-images.ts';
import type { Reply, ReplyTerms } from '../../protocol.ts';
import type { ImagesRequest } from '../from-client/images-request.ts';
import { readImages } from '../pass-through/images-reply.ts';
import { imagesUsage } from '../wire/image-counts.ts';
import { withoutQuality } from './asked-fields.ts';

const SECOND_MS = 1_000;

const NO_BYTES = Buffer.alloc(0);

/**
 * Returns OpenAI's reply with the images of another vendor, or the refusal of a model that made
 * none and says why; undefined where the reply came to nothing.
 */
export function imagesReply(
  made: MadeImages | undefined,
  request: ImagesRequest,
  terms?: ReplyTerms,
): Reply | undefined {
  const body = made && imagesBody(made);
  if (body !== undefined) return readImages(body, withoutQuality(request), terms);
  if (made?.notMade === undefined) return undefined;
  const { refusal, words } = made.notMade;
  return {
    refusal,
    usage: made.usage,
    bytes: NO_BYTES,
    withUsage: () => NO_BYTES,
    deliveredText: () => words,
  };
}

function imagesBody({ images, usage }: MadeImages): Buffer | undefined {
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
