import { METERS, UNITS } from '@weir/shared/prices/meters';
import type { Prices } from '@weir/shared/watch/usage-record';
import { mapMeters } from './meter-prices.ts';

/** A factor of this many parts per million is 1. */
export const PPM_ONE = 1_000_000;

/**
 * The prices of a tier: those of all tokens times its factor, rounded up to a whole nanodollar per
 * million tokens. Calls, searches and images cost the same in every tier.
 */
export function tierPrices(prices: Prices, factorPpm: number): Prices {
  const times = (nanoUsd: number): number => multiplied(nanoUsd, factorPpm);
  const { extra } = prices;
  return {
    inputNanoUsd: times(prices.inputNanoUsd),
    cachedInputNanoUsd: times(prices.cachedInputNanoUsd),
    cacheWriteNanoUsd: times(prices.cacheWriteNanoUsd),
    outputNanoUsd: times(prices.outputNanoUsd),
    perCallNanoUsd: prices.perCallNanoUsd,
    ...(extra && {
      extra: {
        ...mapMeters(extra, (price, id) =>
          UNITS[METERS[id].unit].charged === 'tokens' ? times(price) : price,
        ),
        ...(extra.variants && { variants: extra.variants }),
        ...(extra.secondsMin && { secondsMin: extra.secondsMin }),
      },
    }),
  };
}

function multiplied(nanoUsd: number, factorPpm: number): number {
  const one = BigInt(PPM_ONE);
  return Number((BigInt(nanoUsd) * BigInt(factorPpm) + one - 1n) / one);
}
