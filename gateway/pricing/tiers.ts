import { chargedCount, type MeterId } from '@weir/shared/prices/meters';
import { coverMeters, coverUnits, type CompiledPrices } from './compile-prices.ts';
import { PPM_ONE } from './tier-prices.ts';
import { pricesOfCostliestVariant, type AskedUnits } from './variants.ts';

/** The parts of a request that its hold depends on. */
export interface AskedPrices {
  readonly meters: readonly MeterId[];
  readonly tier?: { readonly name: string } | undefined;
  readonly units?: AskedUnits | undefined;
}

/**
 * The prices at which a request is held for: they cover the meters that it asks for, its units in
 * the most expensive variant, and its tier where that costs more than the ordinary one, which the
 * upstream may choose instead.
 */
export function pricesToHold(
  prices: CompiledPrices,
  { meters, tier, units }: AskedPrices,
): CompiledPrices {
  const asked = tier === undefined ? undefined : prices.tiers.get(tier.name);
  const costliest = asked !== undefined && asked.factorPpm > PPM_ONE ? asked.prices : prices;
  const covered = coverMeters(costliest, meters);
  const { extra } = covered.listed;
  if (units === undefined || extra?.[units.meter] === undefined) return covered;
  const { meter, variant } = units;
  const count = chargedCount(extra, meter, units.count);
  return coverUnits(pricesOfCostliestVariant(covered, variant), { meter, count });
}

/**
 * The tier that is billed; null for the ordinary prices. It is the one that the upstream reports.
 * One that costs more than what was held for is billed as what was asked for: a report alone never
 * costs more than was held.
 * @param reported by the upstream; undefined for none, and for the ordinary tier
 * @param asked by the client; undefined likewise
 */
export function billedTier(
  { tiers }: CompiledPrices,
  reported: string | undefined,
  asked: string | undefined,
): string | null {
  const found = reported === undefined ? undefined : tiers.get(reported);
  if (reported === undefined || found === undefined) return null;
  const held = asked === undefined ? undefined : tiers.get(asked);
  if (found.factorPpm <= Math.max(PPM_ONE, held?.factorPpm ?? 0)) return reported;
  return held === undefined ? null : (asked ?? null);
}

/** The prices of a billed tier. */
export function pricesOfTier(prices: CompiledPrices, tier: string | null): CompiledPrices {
  return tier === null ? prices : (prices.tiers.get(tier)?.prices ?? prices);
}
