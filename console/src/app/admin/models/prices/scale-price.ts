import type { ModelView } from '@weir/shared/catalog/models';
import type { ListPrices } from '@weir/shared/prices/price-lists/price-list';
import {
  add,
  decimal,
  multiply,
  roundUp,
  writeDecimal,
  type Decimal,
} from '../../../core/format/decimal';

type Price = NonNullable<ModelView['price']>;

const WHOLE = decimal('1');
const HUNDREDTH = decimal('0.01');
/** A price has as many decimals as the money it is charged in. */
const DECIMALS = 9;

/** The factor of a change by so many per cent: 1.1 for 10, 0.9 for -10. */
export function factorOf(percent: string): Decimal {
  return add(WHOLE, multiply(decimal(percent), HUNDREDTH));
}

/** Prices of a model, in force or of a list; of a cache null is the input price. */
export type ScalablePrice = Pick<Price, 'extra' | 'tiers'> &
  TokenPrices & {
    readonly perCallUsd: string | null;
    readonly longContext:
      | (TokenPrices & Pick<NonNullable<Price['longContext']>, 'aboveTokens' | 'extra'>)
      | null;
  };

interface TokenPrices {
  readonly inputUsd: string;
  readonly outputUsd: string;
  readonly cachedInputUsd: string | null;
  readonly cacheWriteUsd: string | null;
}

/** All prices of a model times a factor, rounded up to a whole nanodollar. */
export function scaledPrice(price: ScalablePrice, factor: Decimal): ListPrices {
  const scale = (usd: string): string =>
    writeDecimal(roundUp(multiply(decimal(usd), factor), DECIMALS));
  const scaleAll = <Prices extends object>(prices: Prices): Prices =>
    Object.fromEntries(
      Object.entries(prices).map(([meter, usd]) => [meter, scale(String(usd))]),
    ) as Prices;
  const scaleExtra = ({ variants, secondsMin, ...extra }: Price['extra']) => ({
    ...scaleAll(extra),
    ...(variants && { variants: variants.map((one) => ({ ...one, usd: scale(one.usd) })) }),
    ...(secondsMin && { secondsMin }),
  });
  // The input price is followed where it was.
  const cache = (usd: string | null, inputUsd: string): string | null =>
    usd === null || usd === inputUsd ? null : scale(usd);
  const tokens = (of: TokenPrices) => ({
    inputUsd: scale(of.inputUsd),
    outputUsd: scale(of.outputUsd),
    cachedInputUsd: cache(of.cachedInputUsd, of.inputUsd),
    cacheWriteUsd: cache(of.cacheWriteUsd, of.inputUsd),
  });
  const { longContext, perCallUsd } = price;
  return {
    ...tokens(price),
    perCallUsd: perCallUsd === null ? null : scale(perCallUsd),
    extra: scaleExtra(price.extra),
    tiers: [...price.tiers],
    longContext: longContext && {
      ...tokens(longContext),
      aboveTokens: longContext.aboveTokens,
      extra: scaleAll(longContext.extra),
    },
  };
}
