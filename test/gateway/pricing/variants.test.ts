import { describe, expect, it } from 'vitest';
import type { Prices, TokenCounts } from '@weir/shared/watch/usage-record';
import { compilePrices } from '../../../gateway/pricing/compile-prices.ts';
import { cost, costUpperBound } from '../../../gateway/pricing/cost.ts';
import { tierPrices } from '../../../gateway/pricing/tier-prices.ts';
import { pricesToHold } from '../../../gateway/pricing/tiers.ts';
import { pricesOfBilledVariant } from '../../../gateway/pricing/variants.ts';

const USD = 1_000_000_000;
const CENT = USD / 100;

const PER_IMAGE: Prices = {
  inputNanoUsd: 0,
  cachedInputNanoUsd: 0,
  cacheWriteNanoUsd: 0,
  outputNanoUsd: 0,
  perCallNanoUsd: 0,
  extra: {
    image: 4 * CENT,
    variants: { high: 17 * CENT, '1024x1536 high': 25 * CENT, '1024x1536': 6 * CENT },
  },
};
const prices = compilePrices(PER_IMAGE, 1_250_000);

function images(image: number, variant?: string): TokenCounts {
  const extra = { image, ...(variant === undefined ? {} : { variant }) };
  return { input: 9, cachedInput: 0, cacheWrite: 0, output: 700, reasoning: 0, extra };
}

function held(count: number, words: readonly string[], open: number): number {
  const units = { meter: 'image', count, variant: { words, open } } as const;
  return costUpperBound(pricesToHold(prices, { meters: [], units }), 1_000, 10_000);
}

function billed(tokens: TokenCounts, words: readonly string[], open: number): number {
  const variant = tokens.extra?.variant;
  return cost(pricesOfBilledVariant(prices, variant, { words, open }), tokens);
}

describe('prices of images', () => {
  it.each([
    ['1024x1536 high', 25],
    ['1024x1024 high', 17],
    ['1024x1536 low', 6],
    ['1024x1024 low', 4],
    ['', 4],
    ['xhigh', 4],
  ])('of %j are those of all its words, else of one of them', (variant, cents) => {
    expect(billed(images(3, variant), [], 2)).toBe(3 * 1.25 * cents * CENT);
  });

  it.each([
    ['all that is open', [], 2, 25],
    ['what is named', ['1024x1024', 'low'], 0, 4],
    ['what is named, at its own price', ['1024x1536', 'high'], 0, 25],
    ['a size, and the best quality of it', ['1024x1536'], 1, 25],
    ['a quality, and the most expensive size of it', ['high'], 1, 25],
    ['a size without a price, and any quality', ['512x512'], 1, 17],
  ])('are held for %s', (_name, words, open, cents) => {
    expect(held(2, words, open)).toBe(2 * 1.25 * cents * CENT);
  });

  it('never cost more than was held, whatever the upstream reports', () => {
    expect(billed(images(1, '1024x1536 high'), ['1024x1024', 'low'], 0)).toBe(1.25 * 4 * CENT);
    expect(billed(images(1, '1024x1024 low'), ['1024x1536', 'high'], 0)).toBe(1.25 * 4 * CENT);
  });

  it('are those of an image in every tier', () => {
    expect(tierPrices(PER_IMAGE, 2_000_000).extra).toEqual(PER_IMAGE.extra);
  });
});

describe('a price by the second with a minimum', () => {
  const listed: Prices = { ...PER_IMAGE, extra: { second: 30_833, secondsMin: 10 } };
  const ofSeconds = compilePrices(listed, 1_000_000, null, { priority: 1_500_000 });

  it.each([
    ['none', undefined],
    ['priority', { name: 'priority' }],
  ])('is held for in full, in the tier %s', (_name, tier) => {
    const hold = (count: number): number => {
      const units = { meter: 'second', count, variant: { words: [], open: 0 } } as const;
      return costUpperBound(pricesToHold(ofSeconds, { meters: [], units, tier }), 0, 0);
    };
    expect(hold(1)).toBe(10 * 30_833);
    expect(hold(10_000)).toBe(10 * 30_833);
    expect(hold(10_001)).toBe(Math.ceil(10.001 * 30_833));
  });
});
