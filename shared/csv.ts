/**
 * Without it Excel takes a file for one in the encoding of its machine, and shows other scripts as
 * garbage.
 */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A cell that begins like a formula is run by spreadsheets; the apostrophe makes it text. The
 * full-width and small signs are what Chinese and Japanese keyboards write. Some programs skip
 * white space, and what is not seen, before a sign.
 */
const FORMULA_SIGNS = '=+@＝＋－＠﹢﹣﹦﹫-';
const FORMULA_SPACES = ' \\t\\r\\n\\v\\f\\u00a0\\u200b\\u2060\\u3000\\ufeff';
/** The regular expression in a form that PostgreSQL reads as well. */
export const FORMULA_PATTERN = `^(?:[\\t\\r\\n]|[${FORMULA_SPACES}]*[${FORMULA_SIGNS}])`;
const FORMULA = new RegExp(FORMULA_PATTERN);
const NUMBER = /^-?\d+(\.\d+)?$/;

function csvCell(value: string): string {
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The first line of a file. */
export function csvHeader(names: readonly string[]): string {
  return BYTE_ORDER_MARK + csvLine(names);
}

/** One line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
