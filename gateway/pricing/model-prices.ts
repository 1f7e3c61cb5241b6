import type { Prices } from '@weir/shared/usage-record';

/** What every model has a price for. */
export type OrdinaryPrices = Omit<Prices, 'extra'>;

/**
 * Other prices for the whole of a request whose prompt is long. None is below what a shorter prompt
 * costs: holds rely on it.
 */
export interface LongContext {
  /** They hold for prompts of more tokens than this, cached ones included. */
  readonly aboveTokens: number;
  readonly prices: Prices;
}

/**
 * What multiplies the prices of tokens in each tier of processing that has a price: parts per
 * million by name.
 */
export type TierFactors = Readonly<Record<string, number>>;

/** What a model costs, before any group's multiplier. */
export interface ModelPrices {
  readonly prices: Prices;
  /** Null when long prompts cost what others do. */
  readonly longContext: LongContext | null;
  /** Absent or null when no tier has a price: none is asked for, and none is billed. */
  readonly tiers?: TierFactors | null;
}
