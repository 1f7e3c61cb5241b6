import { METER_IDS, METERS, UNITS, type Meter, type MeterId } from '@weir/shared/prices/meters';
import type { Prices } from '@weir/shared/watch/usage-record';
import type { OrdinaryPrices } from './model-prices.ts';

/**
 * Returns the price at which a meter's token or call is billed. Tokens without a price of their own
 * are never free: they cost what plain input, cached input or output costs. Cache writes for an
 * hour that the request was not known to ask for cost the more expensive of input and cache write,
 * since vendors charge at least that.
 */
export function billedPrice(prices: Prices, meter: MeterId): number {
  const own = prices.extra?.[meter];
  if (own !== undefined) return own;
  const { unit, onRequest, isCached }: Meter = METERS[meter];
  if (UNITS[unit].charged !== 'tokens') return 0;
  if (unit === 'output_tokens') return prices.outputNanoUsd;
  if (isCached === true) return prices.cachedInputNanoUsd;
  return onRequest ? Math.max(prices.inputNanoUsd, prices.cacheWriteNanoUsd) : prices.inputNanoUsd;
}

/** Prices without those of meters; the same object where there are none. */
export function ordinaryPrices(prices: Prices): OrdinaryPrices {
  if (prices.extra === undefined) return prices;
  const { inputNanoUsd, cachedInputNanoUsd, cacheWriteNanoUsd, outputNanoUsd, perCallNanoUsd } =
    prices;
  return { inputNanoUsd, cachedInputNanoUsd, cacheWriteNanoUsd, outputNanoUsd, perCallNanoUsd };
}

/** The same meters with what `change` makes of the count or price of each. */
export function mapMeters<From, To>(
  values: Readonly<Partial<Record<MeterId, From>>>,
  change: (value: From, meter: MeterId) => To,
): Readonly<Partial<Record<MeterId, To>>> {
  const mapped: Partial<Record<MeterId, To>> = {};
  for (const meter of METER_IDS) {
    const value = values[meter];
    if (value !== undefined) mapped[meter] = change(value, meter);
  }
  return mapped;
}
