/**
 * Exact decimal arithmetic for what the console computes itself: price previews, shares, running
 * costs. A value is `digits` / 10^`scale`.
 */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const SHAPE = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Reads "12.5"; undefined when it is no plain decimal. */
export function readDecimal(text: string): Decimal | undefined {
  const match = SHAPE.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length };
}

/** Reads what the API sent as a decimal; its schema has vouched for it. */
export function decimal(text: string): Decimal {
  const value = readDecimal(text);
  if (value === undefined) throw new Error(`${text} is not a decimal`);
  return value;
}

export const ZERO: Decimal = { digits: 0n, scale: 0 };

function rescale(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale);
}

export function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { digits: rescale(one, scale) + rescale(other, scale), scale };
}

export function subtract(one: Decimal, other: Decimal): Decimal {
  return add(one, { digits: -other.digits, scale: other.scale });
}

export function multiply(one: Decimal, other: Decimal): Decimal {
  return { digits: one.digits * other.digits, scale: one.scale + other.scale };
}

/** -1, 0 or 1. */
export function compare(one: Decimal, other: Decimal): number {
  const { digits } = subtract(one, other);
  if (digits === 0n) return 0;
  return digits > 0n ? 1 : -1;
}

/** Rounds up to `scale` decimals, as a bill does. */
export function roundUp(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return value;
  const unit = 10n ** BigInt(value.scale - scale);
  const whole = value.digits / unit;
  return { digits: value.digits % unit > 0n ? whole + 1n : whole, scale };
}

/** Writes it without trailing zeros. */
export function writeDecimal({ digits, scale }: Decimal): string {
  const negative = digits < 0n;
  const text = String(negative ? -digits : digits).padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** One part of a whole as a number from 0 to 1, for bars; 0 of nothing. */
export function shareOf(part: Decimal, whole: Decimal): number {
  if (whole.digits === 0n) return 0;
  const scale = Math.max(part.scale, whole.scale);
  const millionths = (rescale(part, scale) * 1_000_000n) / rescale(whole, scale);
  return Math.min(1, Math.max(0, Number(millionths) / 1_000_000));
}
