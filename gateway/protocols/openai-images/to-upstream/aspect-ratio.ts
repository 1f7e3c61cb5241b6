import type { Refusal } from '../../../platform/errors/refusal.ts';
import { invalidValue } from '../../fields/field-faults.ts';

const SIZE = /^(\d{1,5})x(\d{1,5})$/;
/**
 * The sides of an image are multiples of 32 pixels and have a ratio only about: 1344x768 is 16:9,
 * and so is OpenAI's 1792x1024.
 */
const DEVIATION_MAX = 0.03;

/** The shape of an image as Google's models take it. */
export interface ImageShape {
  /** Undefined: the model chooses it. */
  readonly aspectRatio: string | undefined;
  /** The longer side, in pixels; undefined likewise. */
  readonly longSide: number | undefined;
}

/** Reads a size such as `1536x1024`. @param ratios that the upstream takes, such as `3:2` */
export function imageShape(size: unknown, ratios: readonly string[]): ImageShape | Refusal {
  if (size === undefined || size === null || size === 'auto') {
    return { aspectRatio: undefined, longSide: undefined };
  }
  const [, width, height] = SIZE.exec(typeof size === 'string' ? size : '') ?? [];
  const wanted = Number(width) / Number(height);
  const deviation = (ratio: string): number => {
    const [across = 1, down = 1] = ratio.split(':').map(Number);
    return Math.abs(across / down / wanted - 1);
  };
  const [aspectRatio] = ratios.toSorted((one, other) => deviation(one) - deviation(other));
  if (aspectRatio === undefined || !(deviation(aspectRatio) <= DEVIATION_MAX)) {
    return invalidValue(
      'size',
      `The upstream of this model makes images of these shapes: ${ratios.join(', ')}. Send a "size" of one of them, such as "1024x1024", or leave it out.`,
    );
  }
  return { aspectRatio, longSide: Math.max(Number(width), Number(height)) };
}
