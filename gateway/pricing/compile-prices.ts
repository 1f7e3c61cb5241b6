import {
  basisMeter,
  METER_IDS,
  METERS,
  UNITS,
  type Meter,
  type MeterId,
} from '@weir/shared/prices/meters';
import type { LongContext, OrdinaryPrices, TierFactors } from './model-prices.ts';
import { billedPrice, ordinaryPrices } from './meter-prices.ts';
import { tierPrices } from './tier-prices.ts';
import type { Prices } from '@weir/shared/watch/usage-record';

/** Prices are quoted per this many tokens. */
const TOKENS_PER_PRICE = 1_000_000;

/** A group multiplier of this many parts per million is 1. */
const MULTIPLIER_PPM_ONE = 1_000_000;

/**
 * Prices and multiplier as one reduced fraction per kind of token: n tokens cost n x weight /
 * denominator nanodollars.
 *
 * Prices are per 1e6 tokens and multipliers per 1e6, so the common denominator starts at 1e12;
 * divided by the greatest common divisor it is a small number for every ordinary price, and the sum
 * of all products stays below 2^53, where doubles are exact. A weight above 2^53 is kept as the
 * nearest double, which is above 2^53 too: any product with it fails the exactness check and BigInt
 * decides.
 */
export interface CompiledPrices {
  /** The prices as they are in the catalog and in the records billed at them. */
  readonly listed: Prices;
  /** The same without those of meters: what a request is billed at that counts none of them. */
  readonly ordinary: OrdinaryPrices;
  readonly inputWeight: number;
  readonly cachedInputWeight: number;
  readonly cacheWriteWeight: number;
  readonly outputWeight: number;
  /** The weight of one unit of each meter, whether it has a price of its own or not. */
  readonly meterWeights: Readonly<Record<MeterId, number>>;
  /** The highest price of a prompt token; holds use it. See `coverMeters`. */
  readonly promptWeightMax: number;
  /** The highest price of an output token. */
  readonly outputWeightMax: number;
  /** The weight of one call: perCall / denominator nanodollars. */
  readonly callWeight: number;
  /** The same with the most calls of meters that the request may make. */
  readonly callWeightMax: number;
  readonly denominator: number;
  /** The same fraction without any limit, for what leaves 2^53. */
  readonly exact: ExactPrices;
  /** Prompts of more tokens than this cost `longContext`; Infinity when that is null. */
  readonly longContextAboveTokens: number;
  readonly longContext: CompiledPrices | null;
  /** Those of tiers of processing, by name. */
  readonly tiers: ReadonlyMap<string, CompiledTier>;
  /** Those with the price of a variant as the price of the basis meter, by variant. */
  readonly variants: ReadonlyMap<string, CompiledPrices>;
}

export interface CompiledTier {
  /** Factor on the ordinary prices, in parts per million. */
  readonly factorPpm: number;
  readonly prices: CompiledPrices;
}

interface ExactPrices {
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly cacheWrite: bigint;
  readonly output: bigint;
  readonly meters: Readonly<Record<MeterId, bigint>>;
  readonly promptMax: bigint;
  readonly outputMax: bigint;
  readonly call: bigint;
  readonly callMax: bigint;
  readonly denominator: bigint;
}

/**
 * Compiles prices once, when the catalog changes.
 * @param multiplierPpm parts per million: 1_000_000 is 1.
 * @throws RangeError when a price or the multiplier is not a non-negative safe integer.
 */
export function compilePrices(
  listed: Prices,
  multiplierPpm: number,
  longContext: LongContext | null = null,
  tiers: TierFactors | null = null,
): CompiledPrices {
  const exact = exactPrices(listed, multiplierPpm);
  return {
    listed,
    ordinary: ordinaryPrices(listed),
    inputWeight: Number(exact.input),
    cachedInputWeight: Number(exact.cachedInput),
    cacheWriteWeight: Number(exact.cacheWrite),
    outputWeight: Number(exact.output),
    meterWeights: ofEachMeter((meter) => Number(exact.meters[meter])),
    ...boundWeights(exact),
    callWeight: Number(exact.call),
    denominator: Number(exact.denominator),
    exact,
    longContextAboveTokens: longContext === null ? Infinity : longContext.aboveTokens,
    longContext: longContext === null ? null : compilePrices(longContext.prices, multiplierPpm),
    tiers: tiers === null ? NO_TIERS : compileTiers(listed, multiplierPpm, { longContext, tiers }),
    variants: compileVariants(listed, multiplierPpm),
  };
}

const NO_TIERS: CompiledPrices['tiers'] = new Map();
const NO_VARIANTS: CompiledPrices['variants'] = new Map();

function compileVariants(listed: Prices, multiplierPpm: number): CompiledPrices['variants'] {
  const { variants, ...extra } = listed.extra ?? {};
  const basis = basisMeter(extra);
  if (variants === undefined || basis === undefined) return NO_VARIANTS;
  return new Map(
    Object.entries(variants).map(([variant, price]) => [
      variant,
      compilePrices({ ...listed, extra: { ...extra, [basis]: price } }, multiplierPpm),
    ]),
  );
}

function compileTiers(
  listed: Prices,
  multiplierPpm: number,
  { longContext, tiers }: { longContext: LongContext | null; tiers: TierFactors },
): CompiledPrices['tiers'] {
  const compiled = Object.entries(tiers).map(([name, factorPpm]): [string, CompiledTier] => {
    const long = longContext && {
      aboveTokens: longContext.aboveTokens,
      prices: tierPrices(longContext.prices, factorPpm),
    };
    const prices = compilePrices(tierPrices(listed, factorPpm), multiplierPpm, long);
    return [name, { factorPpm, prices }];
  });
  return new Map(compiled);
}

function boundWeights({ promptMax, outputMax, callMax }: ExactPrices) {
  return {
    promptWeightMax: Number(promptMax),
    outputWeightMax: Number(outputMax),
    callWeightMax: Number(callMax),
  };
}

/**
 * The same prices for a request that asks for these meters: what is held for it covers them. A
 * request that asks for none is not held for what it cannot be charged for.
 * @param meters as the protocol found them in the request
 */
export function coverMeters(prices: CompiledPrices, meters: readonly MeterId[]): CompiledPrices {
  if (meters.length === 0) return prices;
  const exact = { ...prices.exact, ...exactBounds(prices.exact, meters) };
  const { longContext } = prices;
  return {
    ...prices,
    ...boundWeights(exact),
    exact,
    longContext: longContext && coverMeters(longContext, meters),
  };
}

/**
 * The same prices for a request that may be charged for so many of a basis meter, in addition to
 * what they cover.
 */
export function coverUnits(
  prices: CompiledPrices,
  units: { readonly meter: MeterId; readonly count: number },
): CompiledPrices {
  const { callMax, meters } = prices.exact;
  const most = callMax + meters[units.meter] * wholeAmount(units.meter, units.count);
  const exact = { ...prices.exact, callMax: most };
  const { longContext } = prices;
  return {
    ...prices,
    ...boundWeights(exact),
    exact,
    longContext: longContext && coverUnits(longContext, units),
  };
}

type ExactWeights = Omit<ExactPrices, 'promptMax' | 'outputMax' | 'callMax'>;

function exactPrices(listed: Prices, multiplierPpm: number): ExactPrices {
  const multiplier = wholeAmount('multiplierPpm', multiplierPpm);
  const scaled = (name: keyof OrdinaryPrices): bigint =>
    wholeAmount(name, listed[name]) * multiplier;
  const input = scaled('inputNanoUsd');
  const cachedInput = scaled('cachedInputNanoUsd');
  const cacheWrite = scaled('cacheWriteNanoUsd');
  const output = scaled('outputNanoUsd');
  const call = scaled('perCallNanoUsd') * BigInt(TOKENS_PER_PRICE);
  const meters = ofEachMeter((meter) => {
    const price = wholeAmount(meter, billedPrice(listed, meter)) * multiplier;
    return price * BigInt(TOKENS_PER_PRICE / UNITS[METERS[meter].unit].perPrice);
  });
  const unit = BigInt(TOKENS_PER_PRICE) * BigInt(MULTIPLIER_PPM_ONE);
  const divisor = [
    ...[input, cachedInput, cacheWrite, output, call],
    ...Object.values(meters),
  ].reduce(greatestCommonDivisor, unit);
  const weights = {
    input: input / divisor,
    cachedInput: cachedInput / divisor,
    cacheWrite: cacheWrite / divisor,
    output: output / divisor,
    meters: ofEachMeter((meter) => meters[meter] / divisor),
    call: call / divisor,
    denominator: unit / divisor,
  };
  return { ...weights, ...exactBounds(weights, []) };
}

/** The most that a token or a request can cost that may be charged for these meters. */
function exactBounds(
  { input, cachedInput, cacheWrite, output, call, meters }: ExactWeights,
  asked: readonly MeterId[],
): Pick<ExactPrices, 'promptMax' | 'outputMax' | 'callMax'> {
  let promptMax = [cachedInput, cacheWrite].reduce(larger, input);
  let outputMax = output;
  let callMax = call;
  for (const id of METER_IDS) {
    const meter: Meter = METERS[id];
    if (meter.onRequest && !asked.includes(id)) continue;
    if (meter.unit === 'input_tokens') promptMax = larger(promptMax, meters[id]);
    else if (meter.unit === 'output_tokens') outputMax = larger(outputMax, meters[id]);
    else callMax += meters[id] * BigInt(meter.callsMax ?? 0);
  }
  return { promptMax, outputMax, callMax };
}

function ofEachMeter<Value>(make: (meter: MeterId) => Value): Readonly<Record<MeterId, Value>> {
  const entries = METER_IDS.map((meter) => [meter, make(meter)] as const);
  return Object.fromEntries(entries) as Record<MeterId, Value>;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function wholeAmount(name: string, value: number): bigint {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`${name} must be a non-negative safe integer, not ${value}`);
  }
  return BigInt(value);
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/**
 * Reports whether a request that may be charged for a meter can be billed. A meter that only comes
 * on request needs a price of its own; the others have one as parts of the prompt or of the output.
 */
export function hasPrice(prices: CompiledPrices, meter: MeterId): boolean {
  return !METERS[meter].onRequest || prices.listed.extra?.[meter] !== undefined;
}
