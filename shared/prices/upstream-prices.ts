import * as Type from 'typebox';
import type { Static } from 'typebox';
import { CHANNEL_MODELS_MAX } from '../catalog/channels.ts';
import { MODEL_PRICE_FIELDS, MODEL_PRICE_SET_FIELDS } from './price-fields.ts';
import { choice, closed, Id, Instant, Multiplier, nullable } from '../api/wire-values.ts';

/** The prices that the operator pays at a channel's upstream. For administrators alone. */

/** The source of a model's price: entered, the list price times the factor, or none. */
export const UPSTREAM_PRICE_SOURCES = ['own', 'factor', 'unknown'] as const;

const UpstreamPriceSet = closed({
  /** The model's public ID. */
  model: Type.String({ minLength: 1, maxLength: 128 }),
  prices: nullable(
    closed(MODEL_PRICE_SET_FIELDS),
    'Null: no price of its own, so that the factor holds. Absent members stay as they are in force.',
  ),
});

/** Takes effect at once. Requests that were served keep the cost that they were served at. */
export const UpstreamPricesUpdate = closed({
  factor: Type.Optional(
    nullable(
      Multiplier,
      'What list prices are multiplied by for models without a price of their own; null: unknown. Absent: stays.',
    ),
  ),
  models: Type.Optional(
    Type.Array(UpstreamPriceSet, {
      maxItems: CHANNEL_MODELS_MAX,
      description: 'Models that are not listed stay as they are.',
    }),
  ),
});
export type UpstreamPricesUpdate = Static<typeof UpstreamPricesUpdate>;

export const UpstreamPriceView = closed({
  modelId: Id,
  publicId: Type.String(),
  source: choice(UPSTREAM_PRICE_SOURCES),
  /** The prices in force; null if they are unknown. */
  prices: nullable(closed(MODEL_PRICE_FIELDS)),
  /** The customers' prices before a group's multiplier; null if the model has none. */
  listPrices: nullable(closed(MODEL_PRICE_FIELDS)),
  /** The time since which a price of its own is in force; null if it has none. */
  effectiveFrom: nullable(Instant),
});
export type UpstreamPriceView = Static<typeof UpstreamPriceView>;

export const UpstreamPricesView = closed({
  channelId: Id,
  factor: nullable(Multiplier),
  /** The models that the channel serves, and others that have a price of their own there. */
  models: Type.Array(UpstreamPriceView),
});
export type UpstreamPricesView = Static<typeof UpstreamPricesView>;
