import type { PricingModel } from '@weir/shared/prices/prices';
import {
  add,
  decimal,
  multiply,
  roundUp,
  writeDecimal,
  type Decimal,
} from '../core/format/decimal';

const NANO_DECIMALS = 9;
/** Characters of a token, roughly: only until the gateway says how many there were. */
const CHARACTERS_PER_TOKEN = 4;
/** Prices are per 1,000,000 tokens. */
const PER_MILLION: Decimal = { digits: 1n, scale: 6 };

export function roughTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function part(tokens: number, priceUsd: string): Decimal {
  return multiply(multiply({ digits: BigInt(tokens), scale: 0 }, decimal(priceUsd)), PER_MILLION);
}

/**
 * Returns the cost of a reply so far, from the group's prices. It is a forecast: the bill counts
 * cached tokens at their own price and rounds once, so the usage record has the last word.
 */
export function runningCost(
  tokens: { readonly input: number; readonly output: number },
  prices: PricingModel['prices'],
): string {
  const { longContext } = prices;
  const isLong = longContext !== null && tokens.input > longContext.aboveTokens;
  const { inputUsd, outputUsd } = isLong ? longContext : prices;
  const sum = [
    part(tokens.input, inputUsd),
    part(tokens.output, outputUsd),
    decimal(prices.perCallUsd),
  ].reduce(add);
  return writeDecimal(roundUp(sum, NANO_DECIMALS));
}
