import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';

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
  /** The reason where there is no image; undefined: there is one, or the reply says nothing. */
  readonly notMade?: NotMade | undefined;
}

/** The upstream's answer in place of an image, which its vendor charges for. */
export interface NotMade {
  readonly refusal: Refusal;
  /** The model's own words; '' if it has none. */
  readonly words: string;
}

/** Letters of a model's answer that a message quotes. */
const QUOTED_LETTERS_MAX = 2_000;

/** Returns the refusal for a model that has answered with words in place of an image. */
export function answeredWithWords(words: string): NotMade {
  const quoted = words.slice(0, QUOTED_LETTERS_MAX).toWellFormed();
  const message = `The model made no image. It replied: ${quoted}`;
  return { refusal: refuse('upstream_rejected', message), words };
}

/** Returns the refusal for an image that was held back. @param reason in the vendor's words */
export function heldBack(reason: string): NotMade {
  const message = `The upstream of this model made no image: ${reason.slice(0, QUOTED_LETTERS_MAX).toWellFormed()}. Change the prompt.`;
  return { refusal: refuse('content_policy_violation', message), words: '' };
}
