import type { PriceCreate } from '@weir/shared/prices/prices';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { TierFactors } from '../../pricing/model-prices.ts';
import { multiplierFromPpm, ppmFromMultiplier } from '../api/amount.ts';

type SentTiers = NonNullable<PriceCreate['tiers']>;

/** Factors of tiers as sent, in parts per million. */
export function readTiers(sent: SentTiers): TierFactors | Refusal {
  const factors = new Map(sent.map(({ tier, factor }) => [tier, ppmFromMultiplier(factor)]));
  if (factors.size === sent.length) return Object.fromEntries(factors);
  return refuse('invalid_value', 'A tier has two factors. Send each tier once.', {
    param: 'tiers',
  });
}

/** The same as they travel, in the order of their names. */
export function tiersView(tiers: TierFactors): SentTiers {
  return Object.entries(tiers)
    .map(([tier, ppm]) => ({ tier, factor: multiplierFromPpm(ppm) }))
    .toSorted((one, other) => one.tier.localeCompare(other.tier));
}
