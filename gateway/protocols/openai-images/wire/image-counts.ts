import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { readUsage } from '../../openai-family/usage.ts';
import { variantWords, type ImageVariant } from './variant.ts';

/** The images of a reply and the variant that they have. */
export interface MadeImages {
  readonly count: number;
  readonly variant: ImageVariant;
}

/**
 * Returns the counts that an upstream reports of images, with the images themselves; null where it
 * reports none. OpenAI leaves `output_tokens_details` out: all output is then tokens of images.
 */
export function reportedCounts(usage: unknown, made: MadeImages): TokenCounts | null {
  const reported = readUsage(usage);
  if (reported === undefined || !isJsonObject(usage)) return null;
  // Images without any output are not reported: free ones are priced so.
  if (made.count > 0 && reported.output < 1) return null;
  const { output } = reported;
  const details = usage['output_tokens_details'];
  const imageOutput = isJsonObject(details) ? imageTokens(details, output) : output;
  return {
    ...reported,
    extra: { ...reported.extra, imageOutput, ...unitCounts(made) },
  };
}

function imageTokens(details: JsonObject, output: number): number {
  const { image_tokens: image, text_tokens: text } = details;
  if (typeof image === 'number' && image > 0) return image;
  return typeof text === 'number' && text > 0 ? Math.max(0, output - text) : output;
}

/** Returns the counts of images whose upstream reports nothing. */
export function estimatedCounts(made: MadeImages): TokenCounts {
  const output = made.count * tokensPerImage(made.variant);
  const extra = { imageOutput: output, ...unitCounts(made) };
  return { input: 0, cachedInput: 0, cacheWrite: 0, output, reasoning: 0, extra };
}

function unitCounts({ count, variant }: MadeImages) {
  const words = variantWords(variant);
  return { image: count, ...(words.length === 0 ? {} : { variant: words.join(' ') }) };
}

/** OpenAI's published output tokens of an image of 1024 x 1024, by quality (gpt-image-1). */
const TOKENS_BY_QUALITY: ReadonlyMap<string, number> = new Map([
  ['low', 272],
  ['medium', 1_056],
  ['high', 4_160],
]);
/** Of qualities that are not in the table: `auto` is high where the prompt asks for detail. */
const TOKENS_OTHERWISE = 4_160;
const TABLE_PIXELS = 1_024 * 1_024;
const SIZE = /^(\d{1,5})x(\d{1,5})$/;

/** Returns about as many output tokens as an image has; its area decides, as in OpenAI's table. */
export function tokensPerImage({ size = '', quality = '' }: ImageVariant): number {
  const tokens = TOKENS_BY_QUALITY.get(quality) ?? TOKENS_OTHERWISE;
  const [, width, height] = SIZE.exec(size) ?? [];
  const pixels = Number(width) * Number(height) || TABLE_PIXELS;
  return Math.ceil((tokens * pixels) / TABLE_PIXELS);
}

/** Returns counts as OpenAI words them, for a client whose upstream reported none. */
export function imagesUsage({ input, output, extra }: TokenCounts): JsonObject {
  const imageInput = extra?.imageInput ?? 0;
  const imageOutput = extra?.imageOutput ?? 0;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: { text_tokens: input - imageInput, image_tokens: imageInput },
    output_tokens_details: { text_tokens: output - imageOutput, image_tokens: imageOutput },
  };
}
