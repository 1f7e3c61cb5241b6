import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  Day,
  Id,
  Instant,
  Multiplier,
  nullable,
} from '../api/wire-values.ts';
import { listOf } from '../api/pages.ts';
import { CLIENT_PROTOCOLS, MODEL_CAPABILITIES } from '../catalog/models.ts';
import { MODEL_PRICE_FIELDS, MODEL_PRICE_SET_FIELDS } from './price-fields.ts';

/**
 * Adds a price to a model's history. It is in force from `effectiveFrom` (now when absent; never
 * the past) until a later one is. Records keep the prices they were billed at.
 */
export const PriceCreate = closed(
  { ...MODEL_PRICE_SET_FIELDS, effectiveFrom: Type.Optional(Instant) },
  'Prices that are absent stay as they are in force just before this one, as far as that is known when it is set; null takes them away.',
);
export type PriceCreate = Static<typeof PriceCreate>;

export const PriceView = closed({
  modelId: Id,
  ...MODEL_PRICE_FIELDS,
  effectiveFrom: Instant,
  state: choice(['past', 'in_force', 'future']),
  createdAt: Instant,
});
export type PriceView = Static<typeof PriceView>;
export const PriceList = listOf(PriceView);
export type PriceList = Static<typeof PriceList>;

// The public price list.
// -----------------------------------------------------------------------------

export const PricingModel = closed({
  /** The value that clients send as `model`. */
  publicId: Type.String(),
  displayName: Type.String(),
  vendor: Type.String(),
  description: Type.String(),
  contextTokensMax: Count,
  outputTokensMax: Count,
  capabilities: Type.Array(choice(MODEL_CAPABILITIES)),
  /** The protocols that its requests can be written in; empty while no channel serves it. */
  protocols: Type.Array(choice(CLIENT_PROTOCOLS)),
  /** Before the group's multiplier, which does not change a price of the account's own. */
  prices: closed(MODEL_PRICE_FIELDS),
  /** True if the prices are those of the caller's account alone; absent otherwise. */
  ownPrice: Type.Optional(Type.Boolean()),
  /** The next price, which is announced; null when none is set. */
  next: nullable(closed({ effectiveFrom: Instant, prices: closed(MODEL_PRICE_FIELDS) })),
  /** With the multiplier applied, for every group that has the model. */
  groups: Type.Array(
    closed(
      {
        groupId: Id,
        prices: closed(MODEL_PRICE_FIELDS),
        /** From `next.effectiveFrom` on. */
        nextPrices: nullable(closed(MODEL_PRICE_FIELDS)),
      },
      'Prices within one group.',
    ),
  ),
});
export type PricingModel = Static<typeof PricingModel>;

export const PricingQuery = closed({
  /** The most models; all of them when absent. */
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
});
export type PricingQuery = Static<typeof PricingQuery>;

export const Pricing = closed({
  currency: choice(['USD']),
  tokensPerPrice: Count,
  groups: Type.Array(
    closed({
      id: Id,
      name: Type.String(),
      description: Type.String(),
      multiplier: Multiplier,
      rpm: Type.Union([Type.Integer(), Type.Null()]),
      tpm: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
  models: Type.Array(PricingModel),
});
export type Pricing = Static<typeof Pricing>;

// The list prices that come with Weir.
// -----------------------------------------------------------------------------

/** A model at its vendor's list price. */
export const ListPriceView = closed({
  publicId: Type.String(),
  displayName: Type.String(),
  vendor: Type.String(),
  contextTokensMax: Count,
  outputTokensMax: Count,
  capabilities: Type.Array(choice(MODEL_CAPABILITIES)),
  prices: closed(MODEL_PRICE_FIELDS),
});
export type ListPriceView = Static<typeof ListPriceView>;
export const ListPriceList = closed({
  /** The public list that the prices are from. */
  source: closed({
    name: choice(['LiteLLM', 'models.dev']),
    licence: choice(['MIT']),
    /** The day on which it was read. */
    date: Day,
  }),
  data: Type.Array(ListPriceView),
});
export type ListPriceList = Static<typeof ListPriceList>;
