import { BASIS_METER_IDS, basisMeter } from '@weir/shared/prices/meters';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { CompiledPrices } from '../../pricing/compile-prices.ts';

/**
 * Returns the counts that prices are for: without those of meters that the model is not priced by.
 * A model that is sold by tokens has no price of an image, and the images are in its tokens.
 */
export function countsInBasis(counts: TokenCounts, { listed }: CompiledPrices): TokenCounts {
  const { extra, ...tokens } = counts;
  if (extra === undefined) return counts;
  const basis = basisMeter(listed.extra);
  const isForeign = BASIS_METER_IDS.some((id) => id !== basis && extra[id] !== undefined);
  if (!isForeign) return counts;
  const kept = Object.entries(extra).filter(
    ([id]) => id !== 'variant' && (id === basis || !BASIS_METER_IDS.some((one) => one === id)),
  );
  return kept.length === 0 ? tokens : { ...tokens, extra: Object.fromEntries(kept) };
}
