import type { Prices } from '@weir/shared/watch/usage-record';

/** The prices that every model has. */
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
 * The factors on the prices of tokens in each tier of processing that has one: parts per million by
 * name.
 */
export type TierFactors = Readonly<Record<string, number>>;

/** The prices of a model, before any group's multiplier. */
export interface ModelPrices {
  readonly prices: Prices;
  /** Null when long prompts cost what others do. */
  readonly longContext: LongContext | null;
  /** Absent or null when no tier has a price: none is asked for, and none is billed. */
  readonly tiers?: TierFactors | null;
}
