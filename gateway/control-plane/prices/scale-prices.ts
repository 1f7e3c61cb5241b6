import { METERS, type MeterPrices } from '@weir/shared/prices/meters';
import { NANO_USD_MAX } from '@weir/shared/money/money';
import type { Prices } from '@weir/shared/watch/usage-record';
import { mapMeters } from '../../pricing/meter-prices.ts';
import type { ModelPrices } from '../../pricing/model-prices.ts';
import type { PriceColumns } from './write-price.ts';

/** A factor as an exact fraction. */
export interface Factor {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A step in nanodollars, 1 or more. */
export interface Rounding {
  readonly stepNanoUsd: bigint;
  readonly mode: 'nearest' | 'up' | 'down';
}

/** Up to a whole nanodollar: a share of a price is not given away by rounding. */
export const EXACT: Rounding = { stepNanoUsd: 1n, mode: 'up' };

const HUNDRED = 100n;

/** Reads `"1.1"`. The schema has checked the shape. */
export function factorOf(decimal: string): Factor {
  const [whole = '', fraction = ''] = decimal.split('.');
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
}

/** The factor that a change by per cent is: 0.9 for `"-10"`. */
export function factorOfPercent(percent: string): Factor {
  const isNegative = percent.startsWith('-');
  const { numerator, denominator } = factorOf(isNegative ? percent.slice(1) : percent);
  return {
    numerator: HUNDRED * denominator + (isNegative ? -numerator : numerator),
    denominator: HUNDRED * denominator,
  };
}

function rounded(numerator: bigint, denominator: bigint, mode: Rounding['mode']): bigint {
  if (mode === 'down') return numerator / denominator;
  if (mode === 'up') return (numerator + denominator - 1n) / denominator;
  return (2n * numerator + denominator) / (2n * denominator);
}

/** Prices that cannot be multiplied so. */
export type ScaleFault = 'free' | 'too_large';

/**
 * All prices of a model times a factor. Prices of tokens are rounded; those of calls, whose step is
 * another one, only to a nanodollar. Tiers are factors themselves and stay.
 *
 * Rounding keeps the order of amounts, so that a long prompt still costs no less than a shorter
 * one, and cached tokens that cost what input does follow it.
 */
export function scalePrices(
  present: PriceColumns,
  { numerator, denominator }: Factor,
  rounding: Rounding,
): ModelPrices | ScaleFault {
  const faults = new Set<ScaleFault>();
  const scale = (price: number, { stepNanoUsd, mode }: Rounding): number => {
    const steps = rounded(BigInt(price) * numerator, denominator * stepNanoUsd, mode);
    const scaled = steps * stepNanoUsd;
    if (price > 0 && scaled === 0n) faults.add('free');
    if (scaled > BigInt(NANO_USD_MAX)) faults.add('too_large');
    return Number(scaled);
  };
  const meters = ({ variants, secondsMin, ...prices }: MeterPrices = {}): MeterPrices => ({
    ...mapMeters(prices, (price, id) =>
      scale(price, METERS[id].unit === 'calls' ? EXACT : rounding),
    ),
    ...(variants && {
      variants: Object.fromEntries(
        Object.entries(variants).map(([variant, price]) => [variant, scale(price, rounding)]),
      ),
    }),
    ...(secondsMin && { secondsMin }),
  });
  const all = (prices: Prices): Prices => ({
    inputNanoUsd: scale(prices.inputNanoUsd, rounding),
    cachedInputNanoUsd: scale(prices.cachedInputNanoUsd, rounding),
    cacheWriteNanoUsd: scale(prices.cacheWriteNanoUsd, rounding),
    outputNanoUsd: scale(prices.outputNanoUsd, rounding),
    perCallNanoUsd: scale(prices.perCallNanoUsd, EXACT),
    extra: meters(prices.extra),
  });
  const { longContext, tiers } = present;
  const scaled: ModelPrices = {
    prices: all(present),
    longContext: longContext && {
      aboveTokens: longContext.aboveTokens,
      prices: all(longContext.prices),
    },
    tiers,
  };
  const [fault] = faults;
  return fault ?? scaled;
}
