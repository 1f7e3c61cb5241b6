import { readDecimal } from '../../core/format/decimal';

const MARKUP_PERCENT_MAX = 1_000;

/** Whether a text is a percentage that a price can be raised by; -100 would give it away. */
export function isMarkup(text: string): boolean {
  const percent = readDecimal(text) === undefined ? NaN : Number(text);
  return percent > -100 && percent <= MARKUP_PERCENT_MAX;
}
