import { Type, type Static } from 'typebox';
import { closed, nullable, UsdAmount } from './wire-values.ts';

/** USD per 1,000,000 tokens of a kind. */
const TOKEN_PRICES = {
  inputUsd: UsdAmount,
  cachedInputUsd: UsdAmount,
  cacheWriteUsd: UsdAmount,
  outputUsd: UsdAmount,
};

/** The same as they are set. */
const TOKEN_PRICES_SET = {
  inputUsd: UsdAmount,
  outputUsd: UsdAmount,
  /** The input price when absent. */
  cachedInputUsd: Type.Optional(UsdAmount),
  /** The input price when absent. */
  cacheWriteUsd: Type.Optional(UsdAmount),
};

/** USD per 1,000,000 tokens of a kind, and USD per call: what one request is billed at. */
export const PRICE_FIELDS = { ...TOKEN_PRICES, perCallUsd: UsdAmount };

const AboveTokens = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Prompts of more tokens than this, cached ones included, are long.',
});

/** What all tokens of a request cost whose prompt is long; none less than in a short one. */
export const LongContextCreate = closed({ aboveTokens: AboveTokens, ...TOKEN_PRICES_SET });

export type LongContextCreate = Static<typeof LongContextCreate>;

export const LongContextView = closed({ aboveTokens: AboveTokens, ...TOKEN_PRICES });
export type LongContextView = Static<typeof LongContextView>;

/** All prices of a model. */
export const MODEL_PRICE_FIELDS = {
  ...PRICE_FIELDS,
  /** Null when long prompts cost what others do. */
  longContext: nullable(LongContextView),
};

/** All prices of a model as they are set. */
export const MODEL_PRICE_SET_FIELDS = {
  ...TOKEN_PRICES_SET,
  perCallUsd: Type.Optional(UsdAmount),
  /** Long prompts cost what others do when null or absent. */
  longContext: Type.Optional(nullable(LongContextCreate)),
};
