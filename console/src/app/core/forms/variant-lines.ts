import * as Type from 'typebox';
import type { MeterPricesView } from '@weir/shared/prices/price-fields';

type VariantPrices = NonNullable<MeterPricesView['variants']>;

const WORD = '[a-z0-9][a-z0-9.:_-]{0,29}';
const LINE = `[ \\t]*${WORD}( ${WORD})?[ \\t]+\\$?[0-9]{1,8}(\\.[0-9]{1,9})?[ \\t]*`;

/** Prices of variants, a line each: the words of the variant and USD, `1024x1536 high 0.25`. */
export const VariantLines = Type.String({ pattern: `^(${LINE}|\\s*)(\\n(${LINE}|\\s*))*$` });

/** Returns prices as lines. */
export function variantLines(prices: VariantPrices | undefined): string {
  return (prices ?? []).map(({ variant, usd }) => `${variant} ${usd}`).join('\n');
}

/** Reads lines that fit the schema; null where there are none. */
export function readVariantLines(lines: string): VariantPrices | null {
  const prices = lines.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const usd = words.pop()?.replace('$', '') ?? '';
    return words.length === 0 ? [] : [{ variant: words.join(' '), usd }];
  });
  return prices.length === 0 ? null : prices;
}
