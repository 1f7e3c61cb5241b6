import { decimalFromNanoUsd, nanoUsdFromDecimal, NANO_USD_PER_USD } from '@weir/shared/money/money';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';

const TOO_LARGE = 'The amount is larger than Weir can hold exactly (9,007,199 USD).';

/** Decimal USD as nanodollars. An absent amount stays absent. */
export function amountFromWire(usd: string, field: string): number | Refusal;
export function amountFromWire(
  usd: string | undefined,
  field: string,
): number | Refusal | undefined;
export function amountFromWire(
  usd: string | undefined,
  field: string,
): number | Refusal | undefined {
  if (usd === undefined) return undefined;
  return nanoUsdFromDecimal(usd) ?? refuse('invalid_value', TOO_LARGE, { param: field });
}

/** Like `amountFromWire`, where null is "no limit". */
export function limitFromWire(
  usd: string | null | undefined,
  field: string,
): number | Refusal | null | undefined {
  return usd === null ? null : amountFromWire(usd, field);
}

export function decimalOrNull(nanoUsd: number | null): string | null {
  return nanoUsd === null ? null : decimalFromNanoUsd(nanoUsd);
}

/**
 * A sum that may be larger than one amount, as Postgres' numeric gives it: whole nanodollars in
 * text.
 */
export function decimalFromSum(nanoUsd: string): string {
  const sum = BigInt(nanoUsd);
  const magnitude = sum < 0n ? -sum : sum;
  const whole = magnitude / BigInt(NANO_USD_PER_USD);
  const fraction = String(magnitude % BigInt(NANO_USD_PER_USD))
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${String(whole)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** One cent, the least that card payments count in. */
export const NANO_USD_PER_CENT = NANO_USD_PER_USD / 100;

const PPM = 1_000_000;
const MULTIPLIER = /^(\d{1,3})(?:\.(\d{1,6}))?$/;

/** `"0.85"` as parts per million. The schema has checked the shape. */
export function ppmFromMultiplier(multiplier: string): number {
  const match = MULTIPLIER.exec(multiplier);
  if (match === null) throw new Error(`${multiplier} is not a multiplier`);
  const [, whole = '', fraction = ''] = match;
  return Number(whole) * PPM + Number(fraction.padEnd(6, '0'));
}

export function multiplierFromPpm(ppm: number): string {
  const fraction = String(ppm % PPM)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return fraction === ''
    ? String(Math.floor(ppm / PPM))
    : `${String(Math.floor(ppm / PPM))}.${fraction}`;
}
