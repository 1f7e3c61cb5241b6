/**
 * Money is a whole number of nanodollars (1e-9 USD). A JavaScript number holds them exactly up to
 * 2^53 - 1, which is 9,007,199 USD; anything larger is refused, never rounded.
 */
export const NANO_USD_PER_USD = 1_000_000_000;

/** The largest amount an account, a hold or a single entry may have. */
export const NANO_USD_MAX = Number.MAX_SAFE_INTEGER;

const DECIMAL = /^(-?)(\d{1,8})(?:\.(\d{1,9}))?$/;

/**
 * Reads a decimal string in USD ("12.5", "-0.000000001") as nanodollars.
 * Returns `undefined` when it is not such a number, has more than nine decimals or is too large.
 */
export function nanoUsdFromDecimal(text: string): number | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const magnitude = BigInt(whole) * BigInt(NANO_USD_PER_USD) + BigInt(fraction.padEnd(9, '0'));
  if (magnitude > BigInt(NANO_USD_MAX)) return undefined;
  const value = Number(magnitude);
  return sign === '-' && value !== 0 ? -value : value;
}

/**
 * Writes nanodollars as a decimal string in USD without trailing zeros: 12_500_000_000 is "12.5".
 */
export function decimalFromNanoUsd(nanoUsd: number): string {
  const magnitude = Math.abs(nanoUsd);
  const whole = Math.floor(magnitude / NANO_USD_PER_USD);
  const fraction = String(magnitude % NANO_USD_PER_USD)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const sign = nanoUsd < 0 ? '-' : '';
  return fraction === '' ? `${sign}${String(whole)}` : `${sign}${String(whole)}.${fraction}`;
}
