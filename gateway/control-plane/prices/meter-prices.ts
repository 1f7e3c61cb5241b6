import {
  METERS,
  TOKEN_METER_IDS,
  type MeterId,
  type MeterPrices,
  type TokenMeterId,
  type VariantPrices,
} from '@weir/shared/prices/meters';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import type { Prices } from '@weir/shared/watch/usage-record';
import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { billedPrice, mapMeters } from '../../pricing/meter-prices.ts';
import { amountFromWire } from '../api/amount.ts';

/** Prices of meters as they are sent: null takes one away, or all. */
export type MeterPricesSent =
  | Readonly<
      Partial<Record<MeterId, string | null>> & {
        variants?: VariantPricesSent | null;
        secondsMin?: number | null;
      }
    >
  | null
  | undefined;

/**
 * Prices of meters as sent, in nanodollars. What is not sent stays as it is `present`.
 * @param path of the object that has them, with a dot behind it; '' for the body
 */
export function readMeterPrices(
  sent: MeterPricesSent,
  path: '' | 'longContext.',
  present: MeterPrices = {},
): MeterPrices | Refusal {
  if (sent === null) return {};
  const read = mapMeters({ ...present, ...sent }, (price, meter) => {
    if (typeof price === 'number' || price === null) return price;
    return amountFromWire(price, `${path}extra.${meter}`);
  });
  const prices: Partial<Record<MeterId, number>> & {
    variants?: VariantPrices;
    secondsMin?: number;
  } = {};
  for (const [meter, price] of Object.entries(read)) {
    if (typeof price === 'object' && price !== null) return price;
    if (price !== null) prices[meter as MeterId] = price;
  }
  const variants = readVariants(sent?.variants, present.variants);
  if (isRefusal(variants)) return variants;
  if (variants.prices !== undefined) prices.variants = variants.prices;
  const secondsMin = sent?.secondsMin === undefined ? present.secondsMin : sent.secondsMin;
  if (typeof secondsMin === 'number') prices.secondsMin = secondsMin;
  return prices;
}

/** The prices of meters in long prompts. A call costs the same there. */
export function longMeterPrices(ofTokens: MeterPrices, ordinary: Prices): MeterPrices {
  const all: Partial<Record<MeterId, number>> = { ...ordinary.extra };
  for (const meter of TOKEN_METER_IDS) {
    Reflect.deleteProperty(all, meter);
    const price = ofTokens[meter];
    if (price !== undefined) all[meter] = price;
  }
  return all;
}

/** Refuses prices of long prompts where a meter would cost less than in a shorter one. */
export function refuseCheapMeter(long: Prices, ordinary: Prices): Refusal | undefined {
  const meter = TOKEN_METER_IDS.find((id) => billedPrice(long, id) < billedPrice(ordinary, id));
  if (meter === undefined) return undefined;
  const least = decimalFromNanoUsd(billedPrice(ordinary, meter));
  return refuse(
    'invalid_value',
    `A long prompt must not cost less than a shorter one: ${METERS[meter].name} cost ${least} there. Send extra.${meter} of the long prompts, at least as much.`,
    { param: `longContext.extra.${meter}` },
  );
}

/** Prices of meters as they travel. */
export function meterPricesView(prices: MeterPrices = {}) {
  const { variants, secondsMin } = prices;
  return {
    ...mapMeters(prices, decimalFromNanoUsd),
    ...(variants && { variants: variantsView(variants) }),
    ...(secondsMin && { secondsMin }),
  };
}

/** The same of tokens alone: what long prompts may have prices of their own for. */
export function tokenMeterPricesView(prices: MeterPrices = {}) {
  const view: Partial<Record<TokenMeterId, string>> = {};
  for (const meter of TOKEN_METER_IDS) {
    const price = prices[meter];
    if (price !== undefined) view[meter] = decimalFromNanoUsd(price);
  }
  return view;
}

/** Prices of variants as they travel. */
type VariantPricesSent = readonly { readonly variant: string; readonly usd: string }[];

/** Prices of variants as sent, in nanodollars; undefined for none. Absent: those `present` stay. */
function readVariants(
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
function variantsView(prices: VariantPrices) {
  return Object.entries(prices).map(([variant, price]) => {
    return { variant, usd: decimalFromNanoUsd(price) };
  });
}
