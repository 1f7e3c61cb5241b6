import * as Type from 'typebox';
import type { Static } from 'typebox';
import { listOf } from '../api/pages.ts';
import { choice, closed, Id, Instant, nullable } from '../api/wire-values.ts';
import { MODEL_PRICE_FIELDS, MODEL_PRICE_SET_FIELDS } from './price-fields.ts';

/** The most prices of one account, past ones apart: each of its cached keys has them. */
export const ACCOUNT_PRICES_MAX = 500;

/** Sets what one account pays for one model, in place of the model's price and of multipliers. */
export const AccountPriceCreate = closed(
  { modelId: Id, ...MODEL_PRICE_SET_FIELDS, effectiveFrom: Type.Optional(Instant) },
  'Prices that are absent are those of the account’s price in force just before, or else of the model’s; null takes them away.',
);
export type AccountPriceCreate = Static<typeof AccountPriceCreate>;

/** Ends the account's price of a model, now if no time is sent: the model's price applies again. */
export const AccountPriceEnd = closed({ effectiveFrom: Type.Optional(Instant) });
export type AccountPriceEnd = Static<typeof AccountPriceEnd>;

export const AccountPriceView = closed({
  accountId: Id,
  accountName: Type.String(),
  modelId: Id,
  publicId: Type.String(),
  /** Null: from `effectiveFrom` on the model's price and multipliers apply again. */
  prices: nullable(closed(MODEL_PRICE_FIELDS)),
  /** The model's price now; null if it has none. */
  listPrices: nullable(closed(MODEL_PRICE_FIELDS)),
  effectiveFrom: Instant,
  state: choice(['past', 'in_force', 'future']),
  createdAt: Instant,
});
export type AccountPriceView = Static<typeof AccountPriceView>;
export const AccountPriceList = listOf(AccountPriceView);
export type AccountPriceList = Static<typeof AccountPriceList>;
