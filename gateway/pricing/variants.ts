import { basisMeter, type BasisMeterId } from '@weir/shared/prices/meters';
import type { CompiledPrices } from './compile-prices.ts';

/** The most that a request may be charged for in the unit of a basis meter. */
export interface AskedUnits {
  readonly meter: BasisMeterId;
  /** The most that it can lead to. */
  readonly count: number;
  readonly variant: AskedVariant;
}

/** The words of a variant, in small letters, as far as the request names them. */
export interface AskedVariant {
  readonly words: readonly string[];
  /** The number of words that the upstream chooses. */
  readonly open: number;
}

/**
 * Returns the prices of a variant: of all its words together, else of the first word that has a
 * price; those that are given where none has.
 */
export function pricesOfVariant(
  prices: CompiledPrices,
  variant: string | undefined,
): CompiledPrices {
  const { variants } = prices;
  if (variant === undefined || variants.size === 0) return prices;
  const named = [variant, ...variant.split(' ')].find((name) => variants.has(name));
  return (named === undefined ? undefined : variants.get(named)) ?? prices;
}

/** Returns the prices of the most expensive variant that the request can lead to. */
export function pricesOfCostliestVariant(
  prices: CompiledPrices,
  { words, open }: AskedVariant,
): CompiledPrices {
  const asked = pricesOfVariant(prices, words.join(' '));
  if (open === 0) return asked;
  const isPossible = (name: string): boolean =>
    name.split(' ').filter((word) => !words.includes(word)).length <= open;
  const possible = [...prices.variants].filter(([name]) => isPossible(name));
  return possible
    .map(([, priced]) => priced)
    .reduce(
      (most, one) => (unitPrice(one) > unitPrice(most) ? one : most),
      costlier(asked, prices),
    );
}

/**
 * Returns the prices of the variant that the upstream reports. One that costs more than what was
 * held for is billed as the most expensive that was: a report alone never costs more than the hold.
 * @param asked absent of a request that is charged for tokens alone
 */
export function pricesOfBilledVariant(
  prices: CompiledPrices,
  reported: string | undefined,
  asked: AskedVariant | undefined,
): CompiledPrices {
  if (asked === undefined || prices.variants.size === 0) return prices;
  const held = pricesOfCostliestVariant(prices, asked);
  const found = pricesOfVariant(prices, reported);
  return unitPrice(found) > unitPrice(held) ? held : found;
}

function costlier(one: CompiledPrices, other: CompiledPrices): CompiledPrices {
  return unitPrice(other) > unitPrice(one) ? other : one;
}

function unitPrice({ listed: { extra } }: CompiledPrices): number {
  const basis = basisMeter(extra);
  return basis === undefined ? 0 : (extra?.[basis] ?? 0);
}
