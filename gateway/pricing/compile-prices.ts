import type { MeterId } from '@weir/shared/meters';
import type { Prices } from '@weir/shared/usage-record';
import type { LongContext } from './model-prices.ts';

/** Prices are quoted per this many tokens. */
const TOKENS_PER_PRICE = 1_000_000;

/** A group multiplier of this many parts per million is 1. */
const MULTIPLIER_PPM_ONE = 1_000_000;

/**
 * Prices and multiplier as one reduced fraction per kind of token: n tokens cost
 * n x weight / denominator nanodollars.
 *
 * Prices are per 1e6 tokens and multipliers per 1e6, so the common denominator starts at 1e12; divided
 * by the greatest common divisor it is a small number for every ordinary price, and the sum of all
 * products stays below 2^53, where doubles are exact. A weight above 2^53 is kept as the nearest
 * double, which is above 2^53 too: any product with it fails the exactness check and BigInt decides.
 */
export interface CompiledPrices {
  /** As they stand in the catalog and in the records of what is billed at them. */
  readonly listed: Prices;
  readonly inputWeight: number;
  readonly cachedInputWeight: number;
  readonly cacheWriteWeight: number;
  readonly outputWeight: number;
  /** The dearest a prompt token can be; holds use it. */
  readonly promptWeightMax: number;
  /** The weight of one call: perCall / denominator nanodollars. */
  readonly callWeight: number;
  readonly denominator: number;
  /** The same fraction without any limit, for what leaves 2^53. */
  readonly exact: ExactPrices;
  /** Prompts of more tokens than this cost `longContext`; Infinity when that is null. */
  readonly longContextAboveTokens: number;
  readonly longContext: CompiledPrices | null;
}

interface ExactPrices {
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly cacheWrite: bigint;
  readonly output: bigint;
  readonly promptMax: bigint;
  readonly call: bigint;
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
): CompiledPrices {
  const exact = exactPrices(listed, multiplierPpm);
  return {
    listed,
    inputWeight: Number(exact.input),
    cachedInputWeight: Number(exact.cachedInput),
    cacheWriteWeight: Number(exact.cacheWrite),
    outputWeight: Number(exact.output),
    promptWeightMax: Number(exact.promptMax),
    callWeight: Number(exact.call),
    denominator: Number(exact.denominator),
    exact,
    longContextAboveTokens: longContext === null ? Infinity : longContext.aboveTokens,
    longContext: longContext === null ? null : compilePrices(longContext.prices, multiplierPpm),
  };
}

function exactPrices(listed: Prices, multiplierPpm: number): ExactPrices {
  const multiplier = wholeAmount('multiplierPpm', multiplierPpm);
  const scaled = (name: keyof Prices): bigint => wholeAmount(name, listed[name]) * multiplier;
  const input = scaled('inputNanoUsd');
  const cachedInput = scaled('cachedInputNanoUsd');
  const cacheWrite = scaled('cacheWriteNanoUsd');
  const output = scaled('outputNanoUsd');
  const call = scaled('perCallNanoUsd') * BigInt(TOKENS_PER_PRICE);
  const unit = BigInt(TOKENS_PER_PRICE) * BigInt(MULTIPLIER_PPM_ONE);
  const divisor = [input, cachedInput, cacheWrite, output, call].reduce(
    greatestCommonDivisor,
    unit,
  );
  return {
    input: input / divisor,
    cachedInput: cachedInput / divisor,
    cacheWrite: cacheWrite / divisor,
    output: output / divisor,
    promptMax: [cachedInput, cacheWrite].reduce((a, b) => (a > b ? a : b), input) / divisor,
    call: call / divisor,
    denominator: unit / divisor,
  };
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

/** Whether a model has a price for what is counted apart. */
export function hasPrice(prices: CompiledPrices, meter: MeterId): boolean {
  return Object.hasOwn(prices.listed, meter);
}
