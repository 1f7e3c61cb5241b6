import { METERS, type MeterId, type UNITS } from '@weir/shared/prices/meters';
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
