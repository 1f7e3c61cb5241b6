import {
  BASIS_METER_IDS,
  METER_IDS,
  METERS,
  UNITS,
  type MeterId,
} from '@weir/shared/prices/meters';
import type { MeterPricesView } from '@weir/shared/prices/price-fields';
import type { PlainKey, Translate } from './i18n';

/** How prices are quoted that are not for 1,000,000 tokens, by the unit of their meter. */
const QUOTED = {
  calls: 'prices.each',
  images: 'prices.each',
  milliseconds: 'prices.perSecond',
  characters: 'prices.perMillion',
  search_units: 'prices.perThousand',
} as const satisfies Partial<Record<keyof typeof UNITS, string>>;

/** Returns the name of a meter's price, such as "Seconds of sound, per second". */
export function meterLabel(t: Translate, id: MeterId): string {
  const { part, unit } = METERS[id];
  const what = t(`priceLine.${part}` satisfies PlainKey);
  return unit in QUOTED ? t(QUOTED[unit as keyof typeof QUOTED], { what }) : what;
}

/** True unless the model is sold by another unit, such as images: its prices of tokens are zero. */
export function isPerToken(prices: MeterPricesView): boolean {
  return BASIS_METER_IDS.every((id) => prices[id] === undefined);
}

/** A price of a meter, or of one of its variants, in words. */
export interface LabelledPrice {
  readonly label: string;
  readonly usd: string;
}

/** Returns the prices of meters, with the words of a bill. */
export function labelledPrices(t: Translate, prices: MeterPricesView): readonly LabelledPrice[] {
  return METER_IDS.flatMap((id) => {
    const usd = prices[id];
    if (usd === undefined) return [];
    const label = meterLabel(t, id);
    if (UNITS[METERS[id].unit].charged !== 'basis') return [{ usd, label }];
    const variants = (prices.variants ?? []).map((one) => {
      return { usd: one.usd, label: `${label} ${one.variant}` };
    });
    return [{ usd, label }, ...variants];
  });
}
