import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Id,
  Instant,
  Name,
  nullable,
  partial,
  Text,
  TEXT_KIND,
} from '../api/wire-values.ts';
import { ACTIVITY_SORTS } from '../watch/activity.ts';
import { countedPageOf, listOf, PAGE_QUERY } from '../api/pages.ts';
import { MODEL_PRICE_FIELDS, MODEL_PRICE_SET_FIELDS } from '../prices/price-fields.ts';

export const MODEL_CAPABILITIES = [
  'vision',
  'audio',
  'files',
  'tools',
  'json',
  'reasoning',
  'cache',
] as const;

/** The protocols that a request for a model can be written in, by the names of the gateway's. */
export const CLIENT_PROTOCOLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'openai-embeddings',
  'openai-transcriptions',
  'openai-speech',
  'openai-realtime',
  'rerank',
] as const;
export type ClientProtocol = (typeof CLIENT_PROTOCOLS)[number];

/** The public ID that clients send, exactly. */
export const ModelPublicId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}$',
  [TEXT_KIND]: 'ascii',
});

const TokensMax = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const ModelCreate = closed({
  publicId: ModelPublicId,
  displayName: Type.Optional(Name),
  vendor: Type.Optional(Type.String({ maxLength: 100 })),
  description: Type.Optional(Text),
  contextTokensMax: TokensMax,
  outputTokensMax: TokensMax,
  capabilities: Type.Optional(Type.Array(choice(MODEL_CAPABILITIES), { maxItems: 20 })),
  status: Type.Optional(choice(['active', 'disabled'])),
  sortOrder: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
  groupIds: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
});
export type ModelCreate = Static<typeof ModelCreate>;

export const ModelUpdate = partial(ModelCreate, { additionalProperties: false });
export type ModelUpdate = Static<typeof ModelUpdate>;

/**
 * USD per 1,000,000 tokens in force now; null when the model has no price and so cannot be served.
 */
const PriceInForce = nullable(closed({ ...MODEL_PRICE_FIELDS, effectiveFrom: Instant }));

export const ModelView = closed({
  id: Id,
  publicId: Type.String(),
  displayName: Type.String(),
  vendor: Type.String(),
  description: Type.String(),
  contextTokensMax: Type.Integer(),
  outputTokensMax: Type.Integer(),
  capabilities: Type.Array(choice(MODEL_CAPABILITIES)),
  status: choice(['active', 'disabled']),
  sortOrder: Type.Integer(),
  groupIds: Type.Array(Id),
  /** Active channels that list it; without one no request for it can be served. */
  channelIds: Type.Array(Id),
  price: PriceInForce,
  /** The time at which the next price takes effect; null if none is set. */
  nextPriceFrom: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
});
export type ModelView = Static<typeof ModelView>;

/** The fields that models can be sorted by; `-` is descending. */
export const MODEL_SORTS = [
  'order',
  '-order',
  'name',
  '-name',
  'status',
  '-status',
  'price',
  '-price',
  ...ACTIVITY_SORTS,
] as const;
export type ModelSort = (typeof MODEL_SORTS)[number];

/** The filters of the list of models. */
export const MODEL_FILTERS = {
  search: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(choice(['active', 'disabled'])),
  groupId: Type.Optional(Id),
};

export const ModelListQuery = closed({
  ...PAGE_QUERY,
  ...MODEL_FILTERS,
  /**
   * `order` is by hand, as in the price list; `price` is what input costs now, models without a
   * price first.
   */
  sort: Type.Optional(choice(MODEL_SORTS)),
});
export type ModelListQuery = Static<typeof ModelListQuery>;
/** A model that the caller may choose in a filter or a setting. */
export const ModelNameView = closed({ publicId: Type.String() });
export const ModelNameList = listOf(ModelNameView);
export type ModelNameList = Static<typeof ModelNameList>;

export const ModelPage = countedPageOf(ModelView);
export type ModelPage = Static<typeof ModelPage>;

export const MODEL_IMPORT_MAX = 1000;

/** A model with its prices. */
export const ModelImportItem = closed({
  ...ModelCreate.properties,
  prices: Type.Optional(
    closed(
      MODEL_PRICE_SET_FIELDS,
      'Prices that are absent stay as they are in force; null takes them away.',
    ),
  ),
});

/** Creates or updates models by public ID with their prices, all or none. */
export const ModelImport = closed({
  models: Type.Array(ModelImportItem, { minItems: 1, maxItems: MODEL_IMPORT_MAX }),
  /**
   * Public IDs of models that are meant to cost nothing. Others whose input would be free, and
   * which have no price per call, are refused: a price of 0 in a list is mostly one that no one
   * entered.
   */
  freeModels: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), { maxItems: MODEL_IMPORT_MAX }),
  ),
  /** Only say what would happen. */
  dryRun: Type.Optional(Type.Boolean()),
});
export type ModelImport = Static<typeof ModelImport>;

export const ModelImportReport = closed({
  dryRun: Type.Boolean(),
  created: Type.Array(Type.String()),
  updated: Type.Array(Type.String()),
  /** Public IDs whose input would become free, and which are not among `freeModels`. */
  free: Type.Array(Type.String()),
  /** Public IDs whose prices changed. */
  repriced: Type.Array(Type.String()),
  /** The prices of those, before and after; null where there was none. */
  changes: Type.Array(
    closed({
      publicId: Type.String(),
      before: nullable(closed(MODEL_PRICE_FIELDS)),
      after: closed(MODEL_PRICE_FIELDS),
    }),
  ),
});
export type ModelImportReport = Static<typeof ModelImportReport>;
