import { describe, expect, it } from 'vitest';
import { BASIS_METER_IDS, METER_IDS } from '@weir/shared/prices/meters';
import type { Prices, TokenCounts } from '@weir/shared/watch/usage-record';
import { compilePrices, coverMeters, hasPrice } from '../../../gateway/pricing/compile-prices.ts';
import {
  cost,
  costUpperBound,
  outputTokensAffordable,
  pricesFor,
} from '../../../gateway/pricing/cost.ts';

const USD = 1_000_000_000;

const ORDINARY: Prices = {
  inputNanoUsd: 2.5 * USD,
  cachedInputNanoUsd: 1.25 * USD,
  cacheWriteNanoUsd: 3.125 * USD,
  outputNanoUsd: 10 * USD,
  perCallNanoUsd: 0,
};

function counts(tokens: Partial<TokenCounts>): TokenCounts {
  return { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, ...tokens };
}

describe('meters', () => {
  /** Claude Opus 5.5. */
  const CLAUDE: Prices = {
    inputNanoUsd: 4 * USD,
    cachedInputNanoUsd: 0.2 * USD,
    cacheWriteNanoUsd: 5 * USD,
    outputNanoUsd: 20 * USD,
    perCallNanoUsd: 0,
    extra: { cacheWrite1h: 8 * USD, webSearch: 0.01 * USD },
  };
  const claude = compilePrices(CLAUDE, 1_000_000);
  const turn = counts({ input: 1_000, cachedInput: 200, cacheWrite: 30, output: 50 });

  it('bill a turn of Claude Code with writes for five minutes and for an hour', () => {
    const tokens = { ...turn, extra: { cacheWrite1h: 40 } };
    // 730 x 4,000 + 200 x 200 + 30 x 5,000 + 40 x 8,000 + 50 x 20,000
    expect(cost(claude, tokens)).toBe(4_430_000);
    expect(cost(compilePrices(CLAUDE, 850_000), tokens)).toBe(3_765_500);
  });

  it('bill web searches by the call, with the multiplier', () => {
    const searched = { ...turn, extra: { webSearch: 3 } };
    expect(cost(claude, searched) - cost(claude, turn)).toBe(30_000_000);
    const half = compilePrices(CLAUDE, 500_000);
    expect(cost(half, searched) - cost(half, turn)).toBe(15_000_000);
  });

  it('bill audio and images at their prices, and as input and output where they have none', () => {
    const extra = { audioInput: 300, imageInput: 200, audioOutput: 60, imageOutput: 10 };
    const tokens = counts({ input: 1_000, output: 100, extra });
    expect(cost(compilePrices(ORDINARY, 1_000_000), tokens)).toBe(1_000 * 2_500 + 100 * 10_000);
    const ofMeters = { audioInput: 32 * USD, audioOutput: 64 * USD, imageOutput: 40 * USD };
    expect(cost(compilePrices({ ...ORDINARY, extra: ofMeters }, 1_000_000), tokens)).toBe(
      700 * 2_500 + 300 * 32_000 + 30 * 10_000 + 60 * 64_000 + 10 * 40_000,
    );
  });

  it('bill cached audio and images at their prices, and as cached input where they have none', () => {
    const extra = { audioInput: 100, cachedAudioInput: 300, cachedImageInput: 200 };
    const tokens = counts({ input: 1_000, cachedInput: 50, extra });
    const plain = 350 * 2_500 + 100 * 2_500;
    expect(cost(compilePrices(ORDINARY, 1_000_000), tokens)).toBe(
      plain + (550 * ORDINARY.cachedInputNanoUsd) / 1_000_000,
    );
    const ofMeters = { cachedAudioInput: 0.3 * USD };
    expect(cost(compilePrices({ ...ORDINARY, extra: ofMeters }, 1_000_000), tokens)).toBe(
      plain + (250 * ORDINARY.cachedInputNanoUsd) / 1_000_000 + 300 * 300,
    );
  });

  it('never bill a write for an hour below one for five minutes', () => {
    const tokens = counts({ input: 40, extra: { cacheWrite1h: 40 } });
    expect(cost(compilePrices(ORDINARY, 1_000_000), tokens)).toBe(40 * 3_125);
    const cheapWrites = { ...ORDINARY, cacheWriteNanoUsd: 0 };
    expect(cost(compilePrices(cheapWrites, 1_000_000), tokens)).toBe(40 * 2_500);
  });

  it('have prices of their own in long prompts', () => {
    const long = { ...CLAUDE, extra: { cacheWrite1h: 16 * USD, webSearch: 0.01 * USD } };
    const all = compilePrices(CLAUDE, 1_000_000, { aboveTokens: 999, prices: long });
    const tokens = { ...turn, extra: { cacheWrite1h: 40 } };
    expect(cost(pricesFor(all, 1_000), tokens)).toBe(4_430_000 + 40 * 8_000);
    const covered = coverMeters(all, ['cacheWrite1h', 'webSearch']);
    expect(costUpperBound(covered, 1_000, 0)).toBe(1_000 * 16_000 + 10 * 10_000_000);
  });

  it('are held for where the request asks for them, and in models that may speak or draw', () => {
    expect(costUpperBound(claude, 100, 10)).toBe(100 * 5_000 + 10 * 20_000);
    const covered = coverMeters(claude, ['cacheWrite1h', 'webSearch']);
    expect(costUpperBound(covered, 100, 10)).toBe(100 * 8_000 + 10 * 20_000 + 10 * 10_000_000);
    expect(outputTokensAffordable(covered, 100, 101_000_000)).toBe(10);
    expect(coverMeters(claude, [])).toBe(claude);
    const speaks = compilePrices({ ...ORDINARY, extra: { audioOutput: 64 * USD } }, 1_000_000);
    expect(costUpperBound(speaks, 0, 10)).toBe(10 * 64_000);
  });

  it('can be billed when the model has a price, or when they are plain tokens without one', () => {
    expect(METER_IDS.filter((meter) => !hasPrice(claude, meter))).toEqual([...BASIS_METER_IDS]);
    const plain = compilePrices(ORDINARY, 1_000_000);
    expect(METER_IDS.filter((meter) => !hasPrice(plain, meter))).toEqual([
      'cacheWrite1h',
      'webSearch',
      ...BASIS_METER_IDS,
    ]);
    const free = compilePrices({ ...ORDINARY, extra: { webSearch: 0 } }, 1_000_000);
    expect(hasPrice(free, 'webSearch')).toBe(true);
  });

  it.each([
    ['more of a meter than of the prompt', counts({ input: 10, extra: { audioInput: 11 } })],
    ['more of a meter than of the output', counts({ output: 1, extra: { audioOutput: 2 } })],
    ['a negative count', counts({ extra: { webSearch: -1 } })],
    ['half a call', counts({ extra: { webSearch: 0.5 } })],
  ])('refuse %s', (_name, tokens) => {
    expect(() => cost(claude, tokens)).toThrow(RangeError);
  });
});
