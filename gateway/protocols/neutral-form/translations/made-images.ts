import type { TokenCounts } from '@weir/shared/watch/usage-record';

/** An image of an upstream's reply. */
export interface MadeImage {
  readonly base64: string;
  /** '' if it has none. */
  readonly mediaType: string;
}

/** The images of an upstream's reply. */
export interface MadeImages {
  readonly images: readonly MadeImage[];
  /** Null where the upstream reports none. */
  readonly usage: TokenCounts | null;
}
