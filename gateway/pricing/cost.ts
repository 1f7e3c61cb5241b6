import { METER_IDS, METERS, type MeterCounts } from '@weir/shared/prices/meters';
import { NANO_USD_MAX } from '@weir/shared/money/money';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { CompiledPrices } from './compile-prices.ts';

/**
 * The prices at which a request with so many prompt tokens is billed: those of long prompts where
 * it has one.
 */
export function pricesFor(prices: CompiledPrices, promptTokens: number): CompiledPrices {
  return promptTokens > prices.longContextAboveTokens ? (prices.longContext ?? prices) : prices;
}

/**
 * Returns the cost of a request in nanodollars at these prices, rounded up once; `pricesFor`
 * chooses them.
 * @throws RangeError when the counts are not whole, not parts of each other as TokenCounts says,
 *   or when the cost exceeds NANO_USD_MAX.
 */
export function cost(prices: CompiledPrices, tokens: TokenCounts): number {
  const { cachedInput, cacheWrite, extra } = tokens;
  const parts = extra === undefined ? NO_PARTS : partsOf(prices, extra);
  const input = tokens.input - cachedInput - cacheWrite - parts.input;
  const output = tokens.output - parts.output;
  assertCount('input', tokens.input);
  assertCount('plain input', input);
  assertCount('cachedInput', cachedInput);
  assertCount('cacheWrite', cacheWrite);
  assertCount('output', tokens.output);
  assertCount('plain output', output);
  const sum =
    input * prices.inputWeight +
    cachedInput * prices.cachedInputWeight +
    cacheWrite * prices.cacheWriteWeight +
    output * prices.outputWeight +
    parts.weight +
    prices.callWeight;
  // Every term is positive and rounding is monotone: a sum that computes to at most 2^53 - 1 was
  // exact throughout.
  if (sum <= Number.MAX_SAFE_INTEGER) return quotientUp(sum, prices.denominator);
  const { exact } = prices;
  return exactQuotientUp(
    BigInt(input) * exact.input +
      BigInt(cachedInput) * exact.cachedInput +
      BigInt(cacheWrite) * exact.cacheWrite +
      BigInt(output) * exact.output +
      (extra === undefined ? 0n : exactWeight(prices, extra)) +
      exact.call,
    exact.denominator,
  );
}

/** The meters' parts of a request's tokens, and their weight. */
interface MeterParts {
  /** Tokens of the prompt. */
  input: number;
  /** Tokens of the output. */
  output: number;
  weight: number;
}

const NO_PARTS: Readonly<MeterParts> = { input: 0, output: 0, weight: 0 };

function partsOf(prices: CompiledPrices, extra: MeterCounts): Readonly<MeterParts> {
  const parts: MeterParts = { input: 0, output: 0, weight: 0 };
  for (const meter of METER_IDS) {
    const count = extra[meter];
    if (count === undefined) continue;
    assertCount(meter, count);
    const { unit } = METERS[meter];
    if (unit === 'input_tokens') parts.input += count;
    else if (unit === 'output_tokens') parts.output += count;
    parts.weight += count * prices.meterWeights[meter];
  }
  return parts;
}

function exactWeight({ exact }: CompiledPrices, extra: MeterCounts): bigint {
  return METER_IDS.reduce(
    (sum, meter) => sum + BigInt(extra[meter] ?? 0) * exact.meters[meter],
    0n,
  );
}

/**
 * The most a request with at most so many tokens can cost, however its prompt and its output split
 * into plain tokens and others: what a hold must cover. `coverMeters` adds what the request asks
 * for. Where the prompt may be a long one, it costs what a long one does, which is never less than
 * what a shorter one would.
 * @throws RangeError like `cost`; clamp both counts to what is possible first.
 */
export function costUpperBound(
  all: CompiledPrices,
  promptTokens: number,
  outputTokens: number,
): number {
  const prices = pricesFor(all, promptTokens);
  assertCount('promptTokens', promptTokens);
  assertCount('outputTokens', outputTokens);
  const sum =
    promptTokens * prices.promptWeightMax +
    outputTokens * prices.outputWeightMax +
    prices.callWeightMax;
  if (sum <= Number.MAX_SAFE_INTEGER) return quotientUp(sum, prices.denominator);
  const { exact } = prices;
  return exactQuotientUp(
    BigInt(promptTokens) * exact.promptMax + BigInt(outputTokens) * exact.outputMax + exact.callMax,
    exact.denominator,
  );
}

/**
 * The largest number of output tokens for which `costUpperBound` stays within an amount: 0 when not
 * even one fits, Number.MAX_SAFE_INTEGER when output is free and the prompt fits.
 */
export function outputTokensAffordable(
  all: CompiledPrices,
  promptTokens: number,
  nanoUsd: number,
): number {
  const prices = pricesFor(all, promptTokens);
  assertCount('promptTokens', promptTokens);
  if (nanoUsd < 0) return 0;
  assertCount('nanoUsd', nanoUsd);
  // ceil(sum / denominator) <= amount says the same as sum <= amount x denominator.
  const budget = nanoUsd * prices.denominator;
  const spent = promptTokens * prices.promptWeightMax + prices.callWeightMax;
  if (budget > Number.MAX_SAFE_INTEGER || spent > Number.MAX_SAFE_INTEGER) {
    return exactTokensAffordable(prices, promptTokens, nanoUsd);
  }
  if (spent > budget) return 0;
  if (prices.outputWeightMax === 0) return Number.MAX_SAFE_INTEGER;
  const rest = budget - spent;
  return (rest - (rest % prices.outputWeightMax)) / prices.outputWeightMax;
}

function exactTokensAffordable(
  { exact }: CompiledPrices,
  promptTokens: number,
  nanoUsd: number,
): number {
  const rest =
    BigInt(nanoUsd) * exact.denominator - BigInt(promptTokens) * exact.promptMax - exact.callMax;
  if (rest < 0n) return 0;
  if (exact.outputMax === 0n) return Number.MAX_SAFE_INTEGER;
  const tokens = rest / exact.outputMax;
  return tokens > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(tokens);
}

function quotientUp(sum: number, denominator: number): number {
  if (denominator === 1) return sum;
  const rest = sum % denominator;
  return (sum - rest) / denominator + (rest === 0 ? 0 : 1);
}

function exactQuotientUp(sum: bigint, denominator: bigint): number {
  const amount = (sum + denominator - 1n) / denominator;
  if (amount > BigInt(NANO_USD_MAX)) {
    throw new RangeError(`a cost of ${amount.toString()} nanodollars exceeds NANO_USD_MAX`);
  }
  return Number(amount);
}

function assertCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`${name} must be a non-negative safe integer, not ${value}`);
  }
}
