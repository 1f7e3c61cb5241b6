import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Id,
  Instant,
  partial,
  Reason,
  Usd,
  UsdAmount,
} from '../api/wire-values.ts';
import { PAGE_QUERY, pageOf } from '../api/pages.ts';
import { ALLOWANCE_WINDOWS } from './plans.ts';

export const SUBSCRIPTION_STATUSES = ['active', 'cancelled', 'ended'] as const;

/** An allowance as it is now. */
export const SubscriptionWindowView = closed({
  window: choice(ALLOWANCE_WINDOWS),
  limitUsd: UsdAmount,
  /** Drained usage: a second or so behind. */
  usedUsd: Usd,
  remainingUsd: UsdAmount,
  startsAt: Instant,
  resetsAt: Instant,
});
export type SubscriptionWindowView = Static<typeof SubscriptionWindowView>;

/** A plan bought, with the terms it was bought with. */
export const SubscriptionView = closed({
  id: Id,
  accountId: Id,
  accountName: Type.String(),
  planId: Id,
  planName: Type.String(),
  /** `active` runs until `endsAt`; `cancelled` was stopped before; `ended` ran out. */
  status: choice(SUBSCRIPTION_STATUSES),
  startedAt: Instant,
  endsAt: Instant,
  /** False: it ends with the period. */
  renews: Type.Boolean(),
  groups: Type.Array(closed({ id: Id, name: Type.String() })),
  windows: Type.Array(SubscriptionWindowView),
  createdAt: Instant,
  updatedAt: Instant,
});
export type SubscriptionView = Static<typeof SubscriptionView>;

/**
 * Buys a plan from the balance. By card: an order of kind `plan`. By code: a redemption. Takes an
 * Idempotency-Key. Without `renews` a running subscription keeps its choice, and a new one does not
 * renew. One that is running gets longer and keeps its terms, until it renews.
 */
export const SubscriptionCreate = closed({ planId: Id, renews: Type.Optional(Type.Boolean()) });
export type SubscriptionCreate = Static<typeof SubscriptionCreate>;

/** `renews: false` cancels at the end of the period. */
export const SubscriptionUpdate = closed({ renews: Type.Boolean() });
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>;

/** Gives a plan without payment. Takes an Idempotency-Key. */
export const SubscriptionGrant = closed({
  accountId: Id,
  planId: Id,
  /** The plan's period when absent. */
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3660 })),
  reason: Reason,
});
export type SubscriptionGrant = Static<typeof SubscriptionGrant>;

export const SubscriptionAdminUpdate = partial(
  closed({ status: choice(['cancelled']), endsAt: Instant, renews: Type.Boolean() }),
  { additionalProperties: false },
);
export type SubscriptionAdminUpdate = Static<typeof SubscriptionAdminUpdate>;

/** Orders of an operator's list of subscriptions; `-` sorts descending. */
export const SUBSCRIPTION_SORTS = [
  '-created',
  'created',
  '-ends',
  'ends',
  'plan',
  '-plan',
] as const;

export const SubscriptionListQuery = closed({
  ...PAGE_QUERY,
  status: Type.Optional(choice(SUBSCRIPTION_STATUSES)),
});
export type SubscriptionListQuery = Static<typeof SubscriptionListQuery>;
export const SubscriptionAdminListQuery = closed({
  ...SubscriptionListQuery.properties,
  accountId: Type.Optional(Id),
  planId: Type.Optional(Id),
  /** The newest first when absent. */
  sort: Type.Optional(choice(SUBSCRIPTION_SORTS)),
});
export type SubscriptionAdminListQuery = Static<typeof SubscriptionAdminListQuery>;
export const SubscriptionPage = pageOf(SubscriptionView);
export type SubscriptionPage = Static<typeof SubscriptionPage>;
