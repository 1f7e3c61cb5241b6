import type { ModelView } from '@weir/shared/models';
import type { PriceCreate } from '@weir/shared/prices';
import {
  add,
  decimal,
  multiply,
  roundUp,
  writeDecimal,
  type Decimal,
} from '../../core/format/decimal';

type Price = NonNullable<ModelView['price']>;

const WHOLE = decimal('1');
const HUNDREDTH = decimal('0.01');
/** A price has as many decimals as the money it is charged in. */
const DECIMALS = 9;

/** The factor of a change by so many per cent: 1.1 for 10, 0.9 for -10. */
export function factorOf(percent: string): Decimal {
  return add(WHOLE, multiply(decimal(percent), HUNDREDTH));
}

/** All prices of a model times a factor, rounded up to a whole nanodollar. */
export function scaledPrice(price: Price, factor: Decimal): PriceCreate {
  const scale = (usd: string): string =>
    writeDecimal(roundUp(multiply(decimal(usd), factor), DECIMALS));
  const scaleAll = <Prices extends object>(prices: Prices): Prices =>
    Object.fromEntries(
      Object.entries(prices).map(([meter, usd]) => [meter, scale(String(usd))]),
    ) as Prices;
  const tokens = (
    of: Omit<Price, 'perCallUsd' | 'extra' | 'longContext' | 'tiers' | 'effectiveFrom'>,
  ) => ({
    inputUsd: scale(of.inputUsd),
    outputUsd: scale(of.outputUsd),
    // The input price is followed where it was.
    cachedInputUsd: of.cachedInputUsd === of.inputUsd ? null : scale(of.cachedInputUsd),
    cacheWriteUsd: of.cacheWriteUsd === of.inputUsd ? null : scale(of.cacheWriteUsd),
  });
  const { longContext } = price;
  return {
    ...tokens(price),
    perCallUsd: scale(price.perCallUsd),
    extra: scaleAll(price.extra),
    tiers: price.tiers,
    longContext: longContext && {
      ...tokens(longContext),
      aboveTokens: longContext.aboveTokens,
      extra: scaleAll(longContext.extra),
    },
  };
}
