/** A word of a variant, as prices have it. */
const WORD = /^[a-z0-9][a-z0-9.:_-]{0,29}$/;

/** Returns a size or quality as a word of a variant; undefined where the upstream chooses it. */
export function variantWord(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase();
  return word !== 'auto' && WORD.test(word) ? word : undefined;
}

/** The size and the quality of images, as far as they are known. */
export interface ImageVariant {
  readonly size: string | undefined;
  readonly quality: string | undefined;
}

/** Returns the words that are known. */
export function variantWords({ size, quality }: ImageVariant): readonly string[] {
  return [size, quality].filter((word) => word !== undefined);
}
