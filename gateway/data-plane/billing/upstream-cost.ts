import { basisMeter, BASIS_METER_IDS, METER_IDS } from '@weir/shared/prices/meters';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { hasPrice, type CompiledPrices } from '../../pricing/compile-prices.ts';
import { cost, pricesFor } from '../../pricing/cost.ts';
import { pricesOfTier } from '../../pricing/tiers.ts';
import { pricesOfVariant } from '../../pricing/variants.ts';
import { countsInBasis } from './basis-counts.ts';

/** The work of an upstream for one request. */
export interface UpstreamUse {
  /** The billed tokens; absurd reports are capped. */
  readonly tokens: TokenCounts;
  /** The tier that the upstream reports; undefined for none, and for the ordinary one. */
  readonly reportedTier: string | undefined;
  /** The tier that the customer is billed for; null for the ordinary one. */
  readonly billedTier: string | null;
}

/**
 * Returns the cost of a request at its upstream, in nanodollars, rounded up once; undefined if a
 * tier or meter that was used has no price. Never throws, since a bill must not fail for it.
 */
export function upstreamCost(
  prices: CompiledPrices,
  { tokens: all, reportedTier, billedTier }: UpstreamUse,
): number | undefined {
  const tier = reportedTier ?? billedTier;
  const hasTier = tier !== null && prices.tiers.has(tier);
  // A tier without any factor costs what the ordinary one does. One that is sold at a
  // price of its own is bought at one, too.
  if (billedTier !== null && !hasTier) return undefined;
  if (!isCounted(prices, all)) return undefined;
  const tokens = countsInBasis(all, prices);
  const { extra } = tokens;
  if (extra !== undefined) {
    const isUnpriced = METER_IDS.some((id) => (extra[id] ?? 0) > 0 && !hasPrice(prices, id));
    if (isUnpriced) return undefined;
  }
  try {
    const ofTier = hasTier ? pricesOfTier(prices, tier) : prices;
    const ofVariant = pricesOfVariant(ofTier, all.extra?.variant);
    return cost(pricesFor(ofVariant, tokens.input), tokens);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Reports whether the counts are in the basis of the prices: a model may be sold by images and
 * bought by tokens, of which its upstream reports none.
 */
function isCounted(prices: CompiledPrices, { input, output, extra }: TokenCounts): boolean {
  const basis = basisMeter(prices.listed.extra);
  if (basis !== undefined) return extra?.[basis] !== undefined;
  const hasUnits = BASIS_METER_IDS.some((id) => extra?.[id] !== undefined);
  return !hasUnits || input + output > 0;
}
