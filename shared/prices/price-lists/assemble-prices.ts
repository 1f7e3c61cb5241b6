import {
  METERS,
  TOKEN_METER_IDS,
  type BasisMeterId,
  type MeterId,
  type TokenMeterId,
} from '../meters.ts';
import { nanoUsdOf, readExactPrice, type ListedPer } from './exact-price.ts';
import type { LeftOut, ListPrices, ListTokenPrices } from './price-list.ts';

/** The token prices of one length of prompt and one tier, as far as a list has them. */
export interface TokenRates {
  readonly input?: string | undefined;
  readonly output?: string | undefined;
  readonly cacheRead?: string | undefined;
  readonly cacheWrite?: string | undefined;
  readonly extra: Partial<Record<TokenMeterId, string>>;
}

/** Reads prices of one model, and notes what is not carried over. */
export class RateReader {
  readonly leftOut: LeftOut[] = [];

  note(field: string, reason: LeftOut['reason']): void {
    if (!this.leftOut.some((one) => one.field === field)) this.leftOut.push({ field, reason });
  }

  /** Undefined where the list has nothing, or nothing that is a price. */
  read(value: unknown, per: ListedPer, field: string): string | undefined {
    if (value === undefined || value === null) return undefined;
    const price = readExactPrice(value, per);
    if (price === undefined) this.note(field, 'unreadable');
    else if (price.isRounded) this.note(field, 'rounded');
    return price?.usd;
  }
}

export interface Rates {
  readonly ordinary: TokenRates;
  /**
   * The prices of longer prompts, each with its threshold and the list's name of its input price.
   */
  readonly thresholds: readonly {
    readonly aboveTokens: number;
    readonly rates: TokenRates;
    readonly field: string;
  }[];
  /** The prices of tiers by name; `long` has those of prompts above the lowest threshold. */
  readonly tiers: readonly {
    readonly tier: string;
    readonly rates: TokenRates;
    readonly long?: TokenRates | undefined;
    /** The factor, if the list has one instead of prices. */
    readonly factor?: string;
    readonly field: string;
  }[];
  readonly perCall?: string | undefined;
  readonly webSearch?: string | undefined;
  /** The price in place of those of tokens; absent: the model is priced by tokens. */
  readonly basis?: { readonly meter: BasisMeterId; readonly usd: string } | undefined;
}

/** Makes prices of what was read; null where input or output has none. */
export function assemblePrices(rates: Rates, reader: RateReader): ListPrices | null {
  const { perCall, webSearch, basis } = rates;
  if (basis !== undefined) return basisPrices(basis);
  const ordinary = withoutFreeWrites(rates.ordinary, reader);
  if (ordinary.input === undefined || ordinary.output === undefined) return null;
  if (isNothing(ordinary.input)) reader.note('input: 0', 'free_tokens');
  const base = tokenPrices(ordinary.input, ordinary.output, ordinary);
  const extra: Partial<Record<MeterId, string>> = { ...ordinary.extra };
  if (webSearch !== undefined) extra.webSearch = webSearch;
  return {
    ...base,
    perCallUsd: perCall ?? null,
    extra,
    longContext: longContextOf({ ...rates, ordinary }, base, reader),
    tiers: tiersOf({ ...rates, ordinary }, reader),
  };
}

/** The prices of a model without any for tokens. */
function basisPrices({ meter, usd }: NonNullable<Rates['basis']>): ListPrices {
  const tokens = { inputUsd: '0', outputUsd: '0', cachedInputUsd: null, cacheWriteUsd: null };
  return { ...tokens, perCallUsd: null, extra: { [meter]: usd }, longContext: null, tiers: [] };
}

function isNothing(price: string | undefined): boolean {
  return price !== undefined && nanoUsdOf(price) === 0n;
}

/**
 * No vendor writes to a cache for nothing where it charges for input: lists have 0 where no one
 * entered a price. Without one, writes cost what input does.
 */
function withoutFreeWrites(rates: TokenRates, reader: RateReader): TokenRates {
  if (rates.input === undefined || isNothing(rates.input)) return rates;
  const { cacheWrite1h, ...extra } = rates.extra;
  const isFree = { write: isNothing(rates.cacheWrite), write1h: isNothing(cacheWrite1h) };
  if (isFree.write || isFree.write1h) reader.note('cache write: 0', 'free_cache_write');
  return {
    ...rates,
    cacheWrite: isFree.write ? undefined : rates.cacheWrite,
    extra: isFree.write1h ? extra : rates.extra,
  };
}

function tokenPrices(input: string, output: string, rates: TokenRates): ListTokenPrices {
  return {
    inputUsd: input,
    outputUsd: output,
    cachedInputUsd: rates.cacheRead ?? null,
    cacheWriteUsd: rates.cacheWrite ?? null,
  };
}

/**
 * Weir has one threshold: the lowest is taken, whose prices hold for all that is longer. What it
 * does not say costs what it does in a shorter prompt.
 */
function longContextOf(
  { ordinary, thresholds }: Rates,
  base: ListTokenPrices,
  reader: RateReader,
): ListPrices['longContext'] {
  const [lowest, ...further] = fromLowest(thresholds);
  for (const { field } of further) reader.note(field, 'threshold');
  if (lowest === undefined) return null;
  const { rates, aboveTokens, field } = lowest;
  const notLess = (
    price: string | undefined,
    own: string | undefined,
    { what, otherwise }: { readonly what: string; readonly otherwise: string },
  ): string | undefined => {
    if (price === undefined || nanoUsdOf(price) >= nanoUsdOf(own ?? otherwise)) return price ?? own;
    reader.note(`${field}: ${what}`, 'cheaper');
    return own;
  };
  const { inputUsd, outputUsd } = base;
  const like = (otherwise: string, what: string) => ({ what, otherwise });
  const input = notLess(rates.input, inputUsd, like(inputUsd, 'input')) ?? inputUsd;
  const output = notLess(rates.output, outputUsd, like(outputUsd, 'output')) ?? outputUsd;
  const caches = {
    cacheRead: notLess(rates.cacheRead, ordinary.cacheRead, like(inputUsd, 'cache read')),
    cacheWrite: notLess(rates.cacheWrite, ordinary.cacheWrite, like(inputUsd, 'cache write')),
  };
  const extra: Partial<Record<TokenMeterId, string>> = {};
  for (const meter of TOKEN_METER_IDS) {
    const otherwise = METERS[meter].unit === 'output_tokens' ? outputUsd : inputUsd;
    const price = notLess(rates.extra[meter], ordinary.extra[meter], like(otherwise, meter));
    if (price !== undefined) extra[meter] = price;
  }
  const long = tokenPrices(input, output, { ...caches, extra });
  const isSame =
    JSON.stringify([long, extra]) === JSON.stringify([base, extraOfTokens(ordinary.extra)]);
  return isSame ? null : { aboveTokens, ...long, extra };
}

function extraOfTokens(extra: TokenRates['extra']): TokenRates['extra'] {
  return Object.fromEntries(
    TOKEN_METER_IDS.flatMap((meter) => {
      const price = extra[meter];
      return price === undefined ? [] : [[meter, price] as const];
    }),
  );
}

const FACTOR_PPM = 1_000_000n;
const FACTOR_PPM_MAX = 999_999_999n;
/** The form of a factor in the admin API. */
const MULTIPLIER = /^\d{1,3}(\.\d{1,6})?$/;

/**
 * A tier multiplies all prices of tokens by one factor. Where the prices of a list are not one
 * factor away, they are left out: any factor would charge too much or too little.
 */
function tiersOf({ ordinary, thresholds, tiers }: Rates, reader: RateReader): ListPrices['tiers'] {
  const [lowest] = fromLowest(thresholds);
  return tiers.flatMap(({ tier, rates, long, field, factor: said }) => {
    if (said !== undefined) {
      const isFactor = MULTIPLIER.test(said);
      if (!isFactor) reader.note(field, 'no_factor');
      return isFactor && said !== '1' ? [{ tier, factor: said }] : [];
    }
    const pairs = [
      ...ratePairs(ordinary, rates),
      ...(long === undefined ? [] : ratePairs(lowest?.rates ?? ordinary, long)),
    ];
    const factors = new Set(pairs.map(([from, to]) => factorPpm(from, to)));
    const [factor] = factors;
    const isWhole = rates.input !== undefined && rates.output !== undefined;
    if (!isWhole || factors.size !== 1 || factor === undefined) {
      reader.note(field, 'no_factor');
      return [];
    }
    return factor === FACTOR_PPM ? [] : [{ tier, factor: decimalOf(factor) }];
  });
}

function fromLowest(thresholds: Rates['thresholds']): Rates['thresholds'] {
  return thresholds.toSorted((one, other) => one.aboveTokens - other.aboveTokens);
}

/** Pairs the ordinary prices with others; a missing ordinary one is that of input or output. */
function ratePairs(ordinary: TokenRates, other: TokenRates): [string, string][] {
  const { input = '0', output = '0' } = ordinary;
  const pairs: [string, string | undefined][] = [
    [input, other.input],
    [output, other.output],
    [ordinary.cacheRead ?? input, other.cacheRead],
    [ordinary.cacheWrite ?? input, other.cacheWrite],
    ...TOKEN_METER_IDS.map((meter): [string, string | undefined] => [
      ordinary.extra[meter] ?? (METERS[meter].unit === 'output_tokens' ? output : input),
      other.extra[meter],
    ]),
  ];
  return pairs.flatMap(([from, to]) => (to === undefined ? [] : [[from, to]]));
}

/** Undefined where no factor of six decimals leads from one price to the other. */
function factorPpm(from: string, to: string): bigint | undefined {
  const [ordinary, price] = [nanoUsdOf(from), nanoUsdOf(to)];
  if (ordinary === 0n) return price === 0n ? FACTOR_PPM : undefined;
  const ppm = (price * FACTOR_PPM) / ordinary;
  return ppm * ordinary === price * FACTOR_PPM && ppm <= FACTOR_PPM_MAX ? ppm : undefined;
}

function decimalOf(ppm: bigint): string {
  const text = String(ppm).padStart(7, '0');
  const fraction = text.slice(-6).replace(/0+$/, '');
  return fraction === '' ? text.slice(0, -6) : `${text.slice(0, -6)}.${fraction}`;
}
