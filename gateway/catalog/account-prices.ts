import { databaseNowMs } from '../platform/clock/store-clock.ts';
import type { ModelPrices } from '../pricing/model-prices.ts';

/** The price of one account for one model, in place of the model's price and of multipliers. */
export interface AccountPrice {
  readonly modelId: string;
  /** Epoch milliseconds of PostgreSQL's clock. */
  readonly fromMs: number;
  /** Null: from then on the model's price applies again. */
  readonly prices: ModelPrices | null;
}

/** The prices of one account by model ID, the latest first. */
export type AccountPrices = ReadonlyMap<string, readonly AccountPrice[]>;

/** Indexes the prices of one account; null if it has none, as nearly every account. */
export function accountPricesOf(prices: readonly AccountPrice[]): AccountPrices | null {
  if (prices.length === 0) return null;
  return Map.groupBy(
    prices.toSorted((one, other) => other.fromMs - one.fromMs),
    ({ modelId }) => modelId,
  );
}

/**
 * Returns what the account pays for a model now; null if the model's price applies. The clock is
 * read because a verified key is cached beyond the time at which a price begins.
 */
export function accountPriceNow(prices: AccountPrices, modelId: string): ModelPrices | null {
  const dated = prices.get(modelId);
  if (dated === undefined) return null;
  const nowMs = databaseNowMs();
  return dated.find(({ fromMs }) => fromMs <= nowMs)?.prices ?? null;
}
