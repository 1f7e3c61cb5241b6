import { nanoUsdFromDecimal } from '@weir/shared/money/money';
import type { Prices } from '@weir/shared/watch/usage-record';
import { mapMeters } from './meter-prices.ts';
import type { LongContext } from './model-prices.ts';
import type { ListedModel, ListedPrices } from './price-list.ts';

/** Returns the list prices of long prompts. */
export function longContextOf({ publicId, longContext }: ListedModel): LongContext | null {
  if (longContext === undefined) return null;
  const { aboveTokens, prices } = longContext;
  return { aboveTokens, prices: pricesOf(publicId, prices) };
}

/** Prices of the list in nanodollars. */
export function pricesOf(publicId: string, { extra, ...prices }: ListedPrices): Prices {
  const nanoUsd = (decimal: string): number => {
    const amount = nanoUsdFromDecimal(decimal);
    if (amount === undefined) throw new Error(`the price list has a wrong price for ${publicId}`);
    return amount;
  };
  return {
    inputNanoUsd: nanoUsd(prices.inputUsd),
    cachedInputNanoUsd: nanoUsd(prices.cachedInputUsd),
    cacheWriteNanoUsd: nanoUsd(prices.cacheWriteUsd),
    outputNanoUsd: nanoUsd(prices.outputUsd),
    perCallNanoUsd: 0,
    ...(extra && { extra: mapMeters(extra, nanoUsd) }),
  };
}
