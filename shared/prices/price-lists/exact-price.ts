/** The unit of a listed price: USD for a token, a million tokens, a call, or one of a thousand. */
export type ListedPer = 'token' | 'million' | 'call' | 'thousandth';

/** Decimals of USD in a price of Weir: a nanodollar. */
const DECIMALS = 9;
const WHOLE_DIGITS_MAX = 8;
/** Powers of ten from a listed price to one of Weir, such as for 1,000,000 tokens. */
const POWERS: Readonly<Record<ListedPer, number>> = {
  token: 6,
  million: 0,
  call: 0,
  thousandth: 3,
};

const NUMBER = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i;

export interface ExactPrice {
  /** USD per 1,000,000 tokens, or per call, as the admin API takes it. */
  readonly usd: string;
  /** It has more decimals than a nanodollar; less than a millionth of one is noise of doubles. */
  readonly isRounded: boolean;
}

/**
 * Reads a price of a list without computing in floating point: the digits are moved, `2.5e-06` for
 * a token is `2.5` for 1,000,000. Undefined for what is no price: negative, too large, no number.
 * @param value a number of JSON, or one in a string
 */
export function readExactPrice(value: unknown, per: ListedPer): ExactPrice | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  // The shortest text that is this double: of up to 15 digits it is the text of the file.
  const match = NUMBER.exec(String(value).trim());
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const scale = fraction.length - Number(exponent) - POWERS[per];
  // Nothing that large is a price, and BigInt would compute it for long.
  if (scale < -WHOLE_DIGITS_MAX || scale > 400) return zeroOnly(whole + fraction);
  const digits = BigInt(whole + fraction);
  if (scale <= DECIMALS) return written(digits * 10n ** BigInt(DECIMALS - scale), false);
  const unit = 10n ** BigInt(scale - DECIMALS);
  const rest = digits % unit;
  const nanoUsd = digits / unit + (rest * 2n >= unit ? 1n : 0n);
  const gap = rest * 2n >= unit ? unit - rest : rest;
  return written(nanoUsd, gap * 1_000_000n > unit);
}

function zeroOnly(digits: string): ExactPrice | undefined {
  return /^0+$/.test(digits) ? { usd: '0', isRounded: false } : undefined;
}

function written(nanoUsd: bigint, isRounded: boolean): ExactPrice | undefined {
  const text = String(nanoUsd).padStart(DECIMALS + 1, '0');
  const whole = text.slice(0, -DECIMALS);
  if (whole.length > WHOLE_DIGITS_MAX) return undefined;
  const fraction = text.slice(-DECIMALS).replace(/0+$/, '');
  return { usd: fraction === '' ? whole : `${whole}.${fraction}`, isRounded };
}

/** A price as a whole number of nanodollars, to be compared. */
export function nanoUsdOf(usd: string): bigint {
  const [whole = '', fraction = ''] = usd.split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}
