import type { Prices } from '@weir/shared/usage-record';

/** What every model has a price for. */
export type OrdinaryPrices = Omit<Prices, 'extra'>;

/** Other prices for the whole of a request whose prompt is long. None is below what a shorter prompt costs: holds rely on it. */
export interface LongContext {
  /** They hold for prompts of more tokens than this, cached ones included. */
  readonly aboveTokens: number;
  readonly prices: Prices;
}

/** What a model costs, before any group's multiplier. */
export interface ModelPrices {
  readonly prices: Prices;
  /** Null when long prompts cost what others do. */
  readonly longContext: LongContext | null;
}
