import { describe, expect, it } from 'vitest';
import type { Prices, TokenCounts } from '@weir/shared/watch/usage-record';
import { compilePrices } from '../../../gateway/pricing/compile-prices.ts';
import { cost, costUpperBound, pricesFor } from '../../../gateway/pricing/cost.ts';
import { billedTier, pricesOfTier, pricesToHold } from '../../../gateway/pricing/tiers.ts';

const USD = 1_000_000_000;

const LISTED: Prices = {
  inputNanoUsd: 4 * USD,
  cachedInputNanoUsd: 0.2 * USD,
  cacheWriteNanoUsd: 5 * USD,
  outputNanoUsd: 20 * USD,
  perCallNanoUsd: 1_000,
  extra: { cacheWrite1h: 8 * USD, webSearch: 0.01 * USD },
};
const LONG = {
  aboveTokens: 1_000,
  prices: { ...LISTED, inputNanoUsd: 8 * USD, outputNanoUsd: 30 * USD },
};
const TIERS = { fast: 2_000_000, flex: 500_000, odd: 333_333 };
const prices = compilePrices(LISTED, 850_000, LONG, TIERS);

const TURN: TokenCounts = {
  input: 1_000,
  cachedInput: 200,
  cacheWrite: 30,
  output: 50,
  reasoning: 0,
  extra: { cacheWrite1h: 40, webSearch: 3 },
};

describe('a tier', () => {
  it.each([
    [null, 4_430],
    ['fast', 8_860],
    ['flex', 2_215],
  ])('multiplies what tokens cost, and neither calls nor searches: %s', (tier, thousands) => {
    const tokens = (thousands * 1_000 * 85) / 100;
    const calls = ((1_000 + 30_000_000) * 85) / 100;
    expect(cost(pricesOfTier(prices, tier), TURN)).toBe(tokens + calls);
  });

  it('rounds its prices up, so that no token is cheaper than its factor says', () => {
    expect(pricesOfTier(prices, 'odd').listed).toMatchObject({
      inputNanoUsd: 1_333_332_000,
      cachedInputNanoUsd: 66_666_600,
      perCallNanoUsd: 1_000,
    });
    const cheap = compilePrices({ ...LISTED, inputNanoUsd: 1 }, 1_000_000, null, TIERS);
    expect(pricesOfTier(cheap, 'odd').listed.inputNanoUsd).toBe(1);
  });

  it('multiplies the prices of long prompts', () => {
    const long = { input: 1_001, cachedInput: 0, cacheWrite: 0, output: 10, reasoning: 0 };
    const fast = pricesFor(pricesOfTier(prices, 'fast'), long.input);
    expect(cost(fast, long)).toBe(Math.ceil(((1_001 * 16_000 + 10 * 60_000 + 1_000) * 85) / 100));
  });

  it('is held for when it is asked for and costs more than the ordinary one', () => {
    const hold = (name?: string): number =>
      costUpperBound(
        pricesToHold(prices, { meters: [], ...(name && { tier: { name } }) }),
        1_000,
        100,
      );
    expect(hold('fast')).toBeGreaterThanOrEqual(2 * hold() - 1_000);
    expect(hold('fast')).toBeGreaterThan(hold());
    // The upstream may serve it in the ordinary one.
    expect(hold('flex')).toBe(hold());
    expect(hold('unknown')).toBe(hold());
  });

  it.each([undefined, 'fast'])(
    'is held for with the multiplier that it is billed with: %s',
    (name) => {
      const dear = compilePrices(LISTED, 3_000_000, LONG, TIERS);
      const held = pricesToHold(dear, { meters: [], ...(name && { tier: { name } }) });
      const turn = { input: 100, cachedInput: 0, cacheWrite: 0, output: 100, reasoning: 0 };
      expect(costUpperBound(held, turn.input, turn.output)).toBeGreaterThanOrEqual(
        cost(pricesOfTier(dear, name ?? null), turn),
      );
    },
  );
});

describe('the billed tier', () => {
  it.each([
    // reported, asked, billed
    ['fast', 'fast', 'fast'],
    ['flex', 'flex', 'flex'],
    // The upstream had no capacity there.
    [undefined, 'fast', null],
    ['flex', 'fast', 'flex'],
    // What the operator's account is set to: cheaper is passed on, more expensive was not held for.
    ['flex', undefined, 'flex'],
    ['fast', undefined, null],
    ['fast', 'flex', 'flex'],
    ['unknown', 'fast', null],
    ['unknown', undefined, null],
    [undefined, undefined, null],
  ])('of a reply that reports %s to one who asked for %s is %s', (reported, asked, billed) => {
    expect(billedTier(prices, reported, asked)).toBe(billed);
  });
});
