import * as Type from 'typebox';
import type { Static, TSchema } from 'typebox';
import { METER_IDS, TOKEN_METER_IDS, type MeterId, type TokenMeterId } from './meters.ts';
import { closed, Multiplier, nullable, UsdAmount } from '../api/wire-values.ts';

function ofEach<Id extends MeterId, Schema extends TSchema>(
  meters: readonly Id[],
  schema: Schema,
): Record<Id, Schema> {
  return Object.fromEntries(meters.map((meter) => [meter, schema])) as Record<Id, Schema>;
}

const MeterPrice = Type.Optional(UsdAmount);
const MeterPriceSet = Type.Optional(
  nullable(UsdAmount, 'Null: no price. Absent: what is in force stays.'),
);

/** The most variants of a model that have a price. */
const VARIANTS_MAX = 100;

/** The price of a variant of what the model is priced by in place of tokens. */
const VariantPrice = closed({
  /** One word of the variant, or all of them, such as `1024x1536 high`; in small letters. */
  variant: Type.String({
    pattern: '^[a-z0-9][a-z0-9.:_-]{0,29}( [a-z0-9][a-z0-9.:_-]{0,29})?$',
  }),
  usd: UsdAmount,
});
const VariantPrices = Type.Array(VariantPrice, { maxItems: VARIANTS_MAX });

/** The most that the least seconds of a request may be. */
const SECONDS_MIN_MAX = 3_600;
const SecondsMin = Type.Integer({
  minimum: 1,
  maximum: SECONDS_MIN_MAX,
  description: 'The fewest seconds of sound that a request is charged for: some vendors bill 10.',
});

/** Prices of meters that have one. */
export const MeterPricesView = closed(
  {
    ...ofEach(METER_IDS, MeterPrice),
    variants: Type.Optional(VariantPrices),
    secondsMin: Type.Optional(SecondsMin),
  },
  'Prices of what is counted apart, where the model has one: USD per 1,000,000 tokens, per call, per image, or per second of sound.',
);
export type MeterPricesView = Static<typeof MeterPricesView>;

const TokenMeterPricesView = closed(
  ofEach<TokenMeterId, typeof MeterPrice>(TOKEN_METER_IDS, MeterPrice),
);

const SET_HINT = 'Null: none. Absent: those in force stay.';

const MeterPricesSet = Type.Optional(
  nullable(
    closed({
      ...ofEach(METER_IDS, MeterPriceSet),
      variants: Type.Optional(nullable(VariantPrices, SET_HINT)),
      secondsMin: Type.Optional(nullable(SecondsMin, SET_HINT)),
    }),
    SET_HINT,
  ),
);
const TokenMeterPricesSet = Type.Optional(
  nullable(
    closed(ofEach<TokenMeterId, typeof MeterPriceSet>(TOKEN_METER_IDS, MeterPriceSet)),
    SET_HINT,
  ),
);

/** USD per 1,000,000 tokens of a kind. */
const TOKEN_PRICES = {
  inputUsd: UsdAmount,
  cachedInputUsd: UsdAmount,
  cacheWriteUsd: UsdAmount,
  outputUsd: UsdAmount,
};

/** An absent price is not changed: a table of input and output prices leaves the others alone. */
const CachePriceSet = Type.Optional(
  nullable(
    UsdAmount,
    'Null: the input price. Absent: what is in force stays, and goes on following the input price where it is the same; the input price where none is in force.',
  ),
);

/** The same as they are set. */
const TOKEN_PRICES_SET = {
  inputUsd: UsdAmount,
  outputUsd: UsdAmount,
  cachedInputUsd: CachePriceSet,
  cacheWriteUsd: CachePriceSet,
};

/** USD per 1,000,000 tokens of a kind, and USD per call: what one request is billed at. */
export const PRICE_FIELDS = {
  ...TOKEN_PRICES,
  perCallUsd: UsdAmount,
  extra: MeterPricesView,
};

const AboveTokens = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Prompts of more tokens than this, cached ones included, are long.',
});

/** The token prices of a request with a long prompt; none is below that of a short one. */
export const LongContextCreate = closed({
  aboveTokens: AboveTokens,
  ...TOKEN_PRICES_SET,
  extra: TokenMeterPricesSet,
});

export type LongContextCreate = Static<typeof LongContextCreate>;

export const LongContextView = closed({
  aboveTokens: AboveTokens,
  ...TOKEN_PRICES,
  extra: TokenMeterPricesView,
});
export type LongContextView = Static<typeof LongContextView>;

export const TIERS_MAX = 20;

/** The factor on the token prices in one tier of processing. */
export const TierFactor = closed({
  /** The name that clients and upstreams use: `priority`, `flex`, `fast`. */
  tier: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$' }),
  factor: Multiplier,
});
export type TierFactor = Static<typeof TierFactor>;

const TierFactors = Type.Array(TierFactor, {
  maxItems: TIERS_MAX,
  description:
    'Tiers of processing that requests may ask for. Others are not asked for, and cost what the ordinary one does.',
});

/** All prices of a model. */
export const MODEL_PRICE_FIELDS = {
  ...PRICE_FIELDS,
  /** Null when long prompts cost what others do. */
  longContext: nullable(LongContextView),
  tiers: TierFactors,
};

/** All prices of a model as they are set. */
export const MODEL_PRICE_SET_FIELDS = {
  ...TOKEN_PRICES_SET,
  perCallUsd: Type.Optional(
    nullable(UsdAmount, 'Null: nothing. Absent: what is in force stays; nothing where none is.'),
  ),
  extra: MeterPricesSet,
  longContext: Type.Optional(
    nullable(
      LongContextCreate,
      'Null: long prompts cost what others do. Absent: what is in force for them stays.',
    ),
  ),
  tiers: Type.Optional(nullable(TierFactors, SET_HINT)),
};
