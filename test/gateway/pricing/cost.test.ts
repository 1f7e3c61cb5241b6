import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BASIS_METER_IDS,
  METER_IDS,
  METERS,
  type Meter,
  type MeterId,
} from '@weir/shared/prices/meters';
import { NANO_USD_MAX } from '@weir/shared/money/money';
import type { Prices, TokenCounts } from '@weir/shared/watch/usage-record';
import {
  compilePrices,
  coverMeters,
  coverUnits,
  type CompiledPrices,
} from '../../../gateway/pricing/compile-prices.ts';
import type { OrdinaryPrices } from '../../../gateway/pricing/model-prices.ts';
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

const FREE: Prices = {
  inputNanoUsd: 0,
  cachedInputNanoUsd: 0,
  cacheWriteNanoUsd: 0,
  outputNanoUsd: 0,
  perCallNanoUsd: 0,
};

function counts(tokens: Partial<TokenCounts>): TokenCounts {
  return { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, ...tokens };
}

/** Returns the price of a meter's token or call by ARCHITECTURE.md. */
function meterPrice(prices: Prices, meter: MeterId): bigint {
  const { inputNanoUsd, cachedInputNanoUsd, cacheWriteNanoUsd, outputNanoUsd } = prices;
  const without: Record<MeterId, number> = {
    cacheWrite1h: Math.max(inputNanoUsd, cacheWriteNanoUsd),
    audioInput: inputNanoUsd,
    imageInput: inputNanoUsd,
    cachedAudioInput: cachedInputNanoUsd,
    cachedImageInput: cachedInputNanoUsd,
    audioOutput: outputNanoUsd,
    imageOutput: outputNanoUsd,
    webSearch: 0,
    image: 0,
    second: 0,
    character: 0,
    searchUnit: 0,
  };
  return BigInt(prices.extra?.[meter] ?? without[meter]);
}

function isPerToken(meter: MeterId): boolean {
  return !['webSearch', 'image', 'second', 'searchUnit'].includes(meter);
}

/** A price’s part of a million: searches and images are priced each, sound for 1,000 ms. */
function millionPart(meter: MeterId): bigint {
  if (meter === 'second' || meter === 'searchUnit') return 1_000n;
  return isPerToken(meter) ? 1n : 1_000_000n;
}

/** The definition, word for word: tokens x prices x multiplier, rounded up once. */
function reference(prices: Prices, multiplierPpm: number, tokens: TokenCounts): bigint {
  const extra = (meter: MeterId): bigint => BigInt(tokens.extra?.[meter] ?? 0);
  const plain =
    BigInt(tokens.input) -
    BigInt(tokens.cachedInput) -
    BigInt(tokens.cacheWrite) -
    extra('cacheWrite1h') -
    extra('audioInput') -
    extra('imageInput') -
    extra('cachedAudioInput') -
    extra('cachedImageInput');
  const output = BigInt(tokens.output) - extra('audioOutput') - extra('imageOutput');
  const ofMeters = METER_IDS.reduce(
    (sum, meter) => sum + extra(meter) * meterPrice(prices, meter) * millionPart(meter),
    0n,
  );
  const perMillion =
    ofMeters +
    plain * BigInt(prices.inputNanoUsd) +
    BigInt(tokens.cachedInput) * BigInt(prices.cachedInputNanoUsd) +
    BigInt(tokens.cacheWrite) * BigInt(prices.cacheWriteNanoUsd) +
    output * BigInt(prices.outputNanoUsd) +
    BigInt(prices.perCallNanoUsd) * 1_000_000n;
  const numerator = perMillion * BigInt(multiplierPpm);
  const denominator = 1_000_000_000_000n;
  return (numerator + denominator - 1n) / denominator;
}

/** Round prices and awkward ones, up to far beyond what any model costs. */
const price = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }).map((cents) => cents * 10_000_000),
  fc.integer({ min: 0, max: 1_000 * USD }),
  fc.maxSafeNat(),
);
const anyOrdinary: fc.Arbitrary<OrdinaryPrices> = fc.record({
  inputNanoUsd: price,
  cachedInputNanoUsd: price,
  cacheWriteNanoUsd: price,
  outputNanoUsd: price,
  perCallNanoUsd: price,
});

function ofEachMeter<Value>(values: fc.Arbitrary<Value>) {
  const each = METER_IDS.map((meter) => [meter, values] as const);
  return fc.record(Object.fromEntries(each) as Record<MeterId, fc.Arbitrary<Value>>, {
    requiredKeys: [],
  });
}

const anyPrices: fc.Arbitrary<Prices> = fc.oneof(
  anyOrdinary,
  fc
    .tuple(anyOrdinary, ofEachMeter(price))
    .map(([ordinary, extra]): Prices => ({ ...ordinary, extra })),
);
const anyMultiplier = fc.oneof(
  fc.constantFrom(0, 1, 500_000, 1_000_000, 1_250_000, 1_000_000_000),
  fc.integer({ min: 0, max: 1_000_000_000 }),
);
const anyCount = fc.oneof(fc.nat(300_000), fc.nat(3), fc.nat(10_000_000));
const plainTokens: fc.Arbitrary<TokenCounts> = fc
  .record({ plain: anyCount, cachedInput: anyCount, cacheWrite: anyCount, output: anyCount })
  .map(({ plain, cachedInput, cacheWrite, output }) =>
    counts({ input: plain + cachedInput + cacheWrite, cachedInput, cacheWrite, output }),
  );

/** Token counts with enough input and output for their meters, and no more calls than allowed. */
const meteredTokens: fc.Arbitrary<TokenCounts> = fc
  .tuple(plainTokens, ofEachMeter(anyCount), fc.nat(METERS.webSearch.callsMax))
  .map(([tokens, drawn, webSearch]) => {
    const extra = { ...drawn, webSearch };
    const within = (unit: Meter['unit']): number =>
      METER_IDS.reduce(
        (sum, meter) => sum + (METERS[meter].unit === unit ? (extra[meter] ?? 0) : 0),
        0,
      );
    return {
      ...tokens,
      input: tokens.input + within('input_tokens'),
      output: tokens.output + within('output_tokens'),
      extra,
    };
  });

const anyTokens = fc.oneof(plainTokens, meteredTokens);

/** Returns the meters of a request that may be charged for these counts. */
function askedBy({ extra = {} }: TokenCounts): MeterId[] {
  return METER_IDS.filter((meter) => METERS[meter].onRequest && (extra[meter] ?? 0) > 0);
}

/** The same prices for a request that may be charged for these counts. */
function covering(prices: CompiledPrices, tokens: TokenCounts): CompiledPrices {
  return BASIS_METER_IDS.reduce(
    (covered, meter) => coverUnits(covered, { meter, count: tokens.extra?.[meter] ?? 0 }),
    coverMeters(prices, askedBy(tokens)),
  );
}

/** Prices and, above a number of tokens, others of which none is lower. */
const anyTiers = fc
  .record({ prices: anyPrices, costlier: anyPrices, aboveTokens: fc.nat(600_000) })
  .map(({ prices, costlier, aboveTokens }) => {
    const most = (name: keyof OrdinaryPrices): number => Math.max(prices[name], costlier[name]);
    const mostOf = (meter: MeterId): number => {
      const least = Number(meterPrice(prices, meter));
      return isPerToken(meter) ? Math.max(least, Number(meterPrice(costlier, meter))) : least;
    };
    const longContext = {
      aboveTokens,
      prices: {
        inputNanoUsd: most('inputNanoUsd'),
        cachedInputNanoUsd: most('cachedInputNanoUsd'),
        cacheWriteNanoUsd: most('cacheWriteNanoUsd'),
        outputNanoUsd: most('outputNanoUsd'),
        perCallNanoUsd: prices.perCallNanoUsd,
        extra: Object.fromEntries(METER_IDS.map((meter) => [meter, mostOf(meter)])),
      },
    };
    return { prices, longContext };
  });

function attempt(work: () => number): number | 'refused' {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return 'refused';
    throw error;
  }
}

describe('compilePrices', () => {
  it('reduces ordinary prices to a small fraction', () => {
    const compiled = compilePrices(ORDINARY, 1_000_000);
    expect(compiled.denominator).toBe(1);
    expect(compiled.inputWeight).toBe(2_500);
    expect(compiled.promptWeightMax).toBe(3_125);
  });

  it.each([-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])('refuses a price of %s', (bad) => {
    expect(() => compilePrices({ ...ORDINARY, outputNanoUsd: bad }, 1_000_000)).toThrow(RangeError);
    expect(() => compilePrices(ORDINARY, bad)).toThrow(RangeError);
  });
});

describe('cost', () => {
  it('charges plain, cached, written and output tokens at their own prices', () => {
    const compiled = compilePrices({ ...ORDINARY, perCallNanoUsd: 7 }, 1_000_000);
    const tokens = counts({ input: 1_000, cachedInput: 600, cacheWrite: 100, output: 10 });
    expect(cost(compiled, tokens)).toBe(300 * 2_500 + 600 * 1_250 + 100 * 3_125 + 10 * 10_000 + 7);
  });

  it('rounds up once, not once per kind of token', () => {
    const third = { ...FREE, inputNanoUsd: 333_333, outputNanoUsd: 333_333 };
    const compiled = compilePrices(third, 1_000_000);
    expect(cost(compiled, counts({ input: 1, output: 1 }))).toBe(1);
    expect(cost(compiled, counts({ input: 3, output: 1 }))).toBe(2);
  });

  it('applies the multiplier to the price per call too', () => {
    const compiled = compilePrices({ ...FREE, perCallNanoUsd: 1_000 }, 1_500_000);
    expect(cost(compiled, counts({}))).toBe(1_500);
  });

  it('costs nothing when prices or the multiplier are zero', () => {
    const tokens = counts({ input: 1_000_000, output: 1_000_000 });
    expect(cost(compilePrices(FREE, 1_000_000), tokens)).toBe(0);
    expect(cost(compilePrices(ORDINARY, 0), tokens)).toBe(0);
  });

  it('equals the BigInt reference, and refuses exactly what exceeds NANO_USD_MAX', () => {
    fc.assert(
      fc.property(anyPrices, anyMultiplier, anyTokens, (prices, multiplier, tokens) => {
        const expected = reference(prices, multiplier, tokens);
        const actual = attempt(() => cost(compilePrices(prices, multiplier), tokens));
        expect(actual).toBe(expected > BigInt(NANO_USD_MAX) ? 'refused' : Number(expected));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is exact at the border of 2^53, on both sides of it', () => {
    const compiled = compilePrices({ ...FREE, outputNanoUsd: 1_000_000 }, 1_000_000);
    expect(cost(compiled, counts({ output: NANO_USD_MAX }))).toBe(NANO_USD_MAX);
    const costlier = compilePrices(
      { ...FREE, outputNanoUsd: 1_000_000, perCallNanoUsd: 1 },
      1_000_000,
    );
    expect(cost(costlier, counts({ output: NANO_USD_MAX - 1 }))).toBe(NANO_USD_MAX);
    expect(() => cost(costlier, counts({ output: NANO_USD_MAX }))).toThrow(RangeError);
  });

  it.each([
    ['negative output', counts({ output: -1 })],
    ['fractional input', counts({ input: 1.5 })],
    ['more cached than input', counts({ input: 10, cachedInput: 11 })],
    ['cached and written beyond input', counts({ input: 10, cachedInput: 6, cacheWrite: 5 })],
    ['not a number', counts({ output: Number.NaN })],
    ['an unsafe integer', counts({ input: 2 ** 53 })],
  ])('refuses %s', (_name, tokens) => {
    expect(() => cost(compilePrices(ORDINARY, 1_000_000), tokens)).toThrow(RangeError);
  });
});

describe('costUpperBound', () => {
  it('is at least the cost of every split of the prompt and of any shorter output', () => {
    fc.assert(
      fc.property(
        anyPrices,
        anyMultiplier,
        anyTokens,
        anyCount,
        (prices, multiplier, tokens, unused) => {
          const compiled = covering(compilePrices(prices, multiplier), tokens);
          const bound = attempt(() =>
            costUpperBound(compiled, tokens.input, tokens.output + unused),
          );
          if (bound === 'refused') return;
          expect(cost(compiled, tokens)).toBeLessThanOrEqual(bound);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is reached by the most expensive split', () => {
    const compiled = compilePrices(ORDINARY, 1_000_000);
    const costliest = counts({ input: 100, cacheWrite: 100, output: 5 });
    expect(costUpperBound(compiled, 100, 5)).toBe(cost(compiled, costliest));
  });

  it('never falls when tokens are added', () => {
    fc.assert(
      fc.property(anyPrices, anyMultiplier, anyCount, anyCount, (prices, multiplier, a, b) => {
        const compiled = compilePrices(prices, multiplier);
        const more = attempt(() => costUpperBound(compiled, a + 1, b + 1));
        if (more === 'refused') return;
        expect(costUpperBound(compiled, a, b + 1)).toBeLessThanOrEqual(more);
        expect(costUpperBound(compiled, a + 1, b)).toBeLessThanOrEqual(more);
      }),
    );
  });
});

describe('outputTokensAffordable', () => {
  it('is the largest output whose bound fits the amount', () => {
    const amount = fc.oneof(fc.nat(10 * USD), fc.maxSafeNat());
    fc.assert(
      fc.property(
        anyPrices,
        anyMultiplier,
        anyCount,
        fc.tuple(amount, fc.subarray([...METER_IDS])),
        (prices, multiplier, prompt, [nanoUsd, meters]) => {
          const compiled = coverMeters(compilePrices(prices, multiplier), meters);
          const tokens = outputTokensAffordable(compiled, prompt, nanoUsd);
          const bound = (output: number): number => {
            const result = attempt(() => costUpperBound(compiled, prompt, output));
            return result === 'refused' ? Infinity : result;
          };
          if (tokens > 0) expect(bound(tokens)).toBeLessThanOrEqual(nanoUsd);
          if (tokens < Number.MAX_SAFE_INTEGER) expect(bound(tokens + 1)).toBeGreaterThan(nanoUsd);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is 0 when the prompt alone does not fit, and for an overdrawn account', () => {
    const compiled = compilePrices(ORDINARY, 1_000_000);
    expect(outputTokensAffordable(compiled, 1_000, 1_000)).toBe(0);
    expect(outputTokensAffordable(compiled, 0, -5)).toBe(0);
  });

  it('has no end when output is free', () => {
    const compiled = compilePrices({ ...ORDINARY, outputNanoUsd: 0 }, 1_000_000);
    expect(outputTokensAffordable(compiled, 10, USD)).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('prices for long prompts', () => {
  const costlier = { ...ORDINARY, inputNanoUsd: 5 * USD, outputNanoUsd: 15 * USD };
  const longContext = { aboveTokens: 200_000, prices: costlier };
  const compiled = compilePrices(ORDINARY, 1_250_000, longContext);

  it('hold for prompts of more tokens, with the multiplier', () => {
    expect(pricesFor(compiled, 200_000)).toBe(compiled);
    expect(pricesFor(compiled, 200_001)).toEqual(compilePrices(costlier, 1_250_000));
    expect(pricesFor(compiled, 200_001).listed).toBe(costlier);
    expect(pricesFor(compilePrices(ORDINARY, 1_000_000), 1e9).listed).toBe(ORDINARY);
  });

  it('are covered by the bound of any prompt that may be so long', () => {
    fc.assert(
      fc.property(
        anyTiers,
        anyMultiplier,
        anyTokens,
        anyCount,
        (tiers, multiplier, tokens, more) => {
          const listed = compilePrices(tiers.prices, multiplier, tiers.longContext);
          const all = covering(listed, tokens);
          const bound = attempt(() =>
            costUpperBound(all, tokens.input + more, tokens.output + more),
          );
          if (bound === 'refused') return;
          expect(cost(pricesFor(all, tokens.input), tokens)).toBeLessThanOrEqual(bound);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('say how much output is affordable after one', () => {
    const amount = costUpperBound(compiled, 200_001, 500);
    expect(outputTokensAffordable(compiled, 200_001, amount)).toBe(500);
    expect(outputTokensAffordable(compiled, 200_000, amount)).toBeGreaterThan(750);
  });
});
