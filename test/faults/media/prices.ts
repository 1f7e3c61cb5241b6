import type { MeterPrices } from '@weir/shared/prices/meters';
import type { MediaKind } from './media-account.ts';

const USD = 1_000_000_000;

export const TRANSCRIPT_SECONDS_MAX = 10;
/** The fewest seconds that are charged. */
export const SECONDS_MIN = 3;
export const RERANK_TOKENS_MAX = 200;

/** One image by its variant: of both words, of one, and of all others. */
export const IMAGE_PRICES = {
  '1024x1024 low': 11_000_001,
  high: 167_000_000,
  other: 42_000_000,
} as const;

interface ModelPrice {
  /** Nanodollars per million tokens. */
  readonly input: number;
  readonly extra: MeterPrices | null;
}

export const PRICES: Readonly<Record<MediaKind, ModelPrice>> = {
  image: {
    input: 0,
    extra: {
      image: IMAGE_PRICES.other,
      variants: { '1024x1024 low': IMAGE_PRICES['1024x1024 low'], high: IMAGE_PRICES.high },
    },
  },
  speech: { input: 0, extra: { character: 15 * USD } },
  transcript: { input: 0, extra: { second: 100_001, secondsMin: SECONDS_MIN } },
  rerank: { input: USD / 20, extra: null },
};
