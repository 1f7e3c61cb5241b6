import { readDecimal } from '../../core/format/decimal';

const MARKUP_PERCENT_MAX = 1_000;

/**
 * Reports whether a text is a percentage by which a price can be raised; -100 would make it free.
 */
export function isMarkup(text: string): boolean {
  const percent = readDecimal(text) === undefined ? NaN : Number(text);
  return percent > -100 && percent <= MARKUP_PERCENT_MAX;
}
