import { METER_IDS, type VariantPrices } from '@weir/shared/prices/meters';
import type { Prices } from '@weir/shared/watch/usage-record';
import type { ModelPrices, TierFactors } from '../../pricing/model-prices.ts';
import type { PriceColumns } from './write-price.ts';

function isSamePrice(one: Prices, other: Prices): boolean {
  return (
    one.inputNanoUsd === other.inputNanoUsd &&
    one.cachedInputNanoUsd === other.cachedInputNanoUsd &&
    one.cacheWriteNanoUsd === other.cacheWriteNanoUsd &&
    one.outputNanoUsd === other.outputNanoUsd &&
    one.perCallNanoUsd === other.perCallNanoUsd &&
    METER_IDS.every((meter) => one.extra?.[meter] === other.extra?.[meter]) &&
    one.extra?.secondsMin === other.extra?.secondsMin &&
    isSameByName(one.extra?.variants ?? {}, other.extra?.variants ?? {})
  );
}

function isSameByName(one: VariantPrices | TierFactors, other: typeof one): boolean {
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => one[name] === other[name]);
}

/** True if all prices of a model are those that are in force. */
export function isInForce(
  present: PriceColumns,
  { prices, longContext, tiers }: ModelPrices,
): boolean {
  if (!isSamePrice(present, prices) || !isSameByName(present.tiers, tiers ?? {})) return false;
  const before = present.longContext;
  if (before === null || longContext === null) return before === longContext;
  return (
    before.aboveTokens === longContext.aboveTokens && isSamePrice(before.prices, longContext.prices)
  );
}
