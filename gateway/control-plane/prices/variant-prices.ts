import type { VariantPrices } from '@weir/shared/prices/meters';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { amountFromWire } from '../api/amount.ts';

/** Prices of variants as they travel. */
export type VariantPricesSent = readonly { readonly variant: string; readonly usd: string }[];

/** Prices of variants as sent, in nanodollars; undefined for none. Absent: those `present` stay. */
export function readVariants(
  sent: VariantPricesSent | null | undefined,
  present: VariantPrices | undefined,
): { readonly prices: VariantPrices | undefined } | Refusal {
  if (sent === undefined) return { prices: present };
  const prices = new Map<string, number>();
  for (const [index, { variant, usd }] of (sent ?? []).entries()) {
    const price = amountFromWire(usd, `extra.variants.${index}.usd`);
    if (typeof price !== 'number') return price;
    prices.set(variant, price);
  }
  if (prices.size !== (sent?.length ?? 0)) {
    const param = 'extra.variants';
    return refuse('invalid_value', 'A variant has two prices. Send each variant once.', { param });
  }
  return { prices: prices.size === 0 ? undefined : Object.fromEntries(prices) };
}

/** The same as they travel. */
export function variantsView(prices: VariantPrices) {
  return Object.entries(prices).map(([variant, price]) => {
    return { variant, usd: decimalFromNanoUsd(price) };
  });
}
