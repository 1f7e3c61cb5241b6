import {
  BASIS_METER_IDS,
  basisMeter,
  chargedCount,
  type MeterPrices,
} from '@weir/shared/prices/meters';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { CompiledPrices } from '../../pricing/compile-prices.ts';

/**
 * Returns the counts that prices are for: without those of meters that the model is not priced by.
 * A model that is sold by tokens has no price of an image, and the images are in its tokens. Fewer
 * seconds than the prices charge for are counted as these.
 */
export function countsInBasis(counts: TokenCounts, { listed }: CompiledPrices): TokenCounts {
  // Most counts have no meters, and copying them costs a microsecond.
  if (counts.extra === undefined) return counts;
  const { extra, ...tokens } = counts;
  const basis = basisMeter(listed.extra);
  const isForeign = BASIS_METER_IDS.some((id) => id !== basis && extra[id] !== undefined);
  if (!isForeign) return withLeast(counts, listed.extra);
  const kept = Object.entries(extra).filter(
    ([id]) => id !== 'variant' && (id === basis || !BASIS_METER_IDS.some((one) => one === id)),
  );
  if (kept.length === 0) return tokens;
  return withLeast({ ...tokens, extra: Object.fromEntries(kept) }, listed.extra);
}

function withLeast(counts: TokenCounts, prices: MeterPrices | undefined): TokenCounts {
  const basis = basisMeter(prices);
  const counted = basis === undefined ? undefined : counts.extra?.[basis];
  if (prices === undefined || basis === undefined || counted === undefined) return counts;
  const charged = chargedCount(prices, basis, counted);
  return charged === counted ? counts : { ...counts, extra: { ...counts.extra, [basis]: charged } };
}
