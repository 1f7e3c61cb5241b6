import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  Id,
  Instant,
  Name,
  partial,
  Text,
  UsdAmount,
} from '../api/wire-values.ts';
import { listOf } from '../api/pages.ts';

export const ALLOWANCE_WINDOWS = ['5h', 'day', 'week', 'month'] as const;

/**
 * The amount that may be used within a window; windows count from the subscription's start. A month
 * is the calendar's, and 30 days at least: each period of a plan of 30 days has one.
 */
export const PlanAllowance = closed({ window: choice(ALLOWANCE_WINDOWS), limitUsd: UsdAmount });
export type PlanAllowance = Static<typeof PlanAllowance>;

export const PlanCreate = closed({
  name: Name,
  description: Type.Optional(Text),
  priceUsd: UsdAmount,
  periodDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
  status: Type.Optional(choice(['active', 'disabled'])),
  sortOrder: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
  /** The groups it pays for. */
  groupIds: Type.Array(Id, { minItems: 1, maxItems: 1000 }),
  /** At most one of each window. */
  allowances: Type.Array(PlanAllowance, { minItems: 1, maxItems: 4 }),
});
export type PlanCreate = Static<typeof PlanCreate>;

/**
 * Changes what is for sale from now on. Subscriptions keep the terms they were bought with, also
 * when they are bought again while they run, until they renew.
 */
export const PlanUpdate = partial(PlanCreate, { additionalProperties: false });
export type PlanUpdate = Static<typeof PlanUpdate>;

export const PlanView = closed({
  id: Id,
  name: Type.String(),
  description: Type.String(),
  priceUsd: UsdAmount,
  periodDays: Type.Integer(),
  status: choice(['active', 'disabled']),
  sortOrder: Type.Integer(),
  groups: Type.Array(closed({ id: Id, name: Type.String() })),
  allowances: Type.Array(PlanAllowance),
  createdAt: Instant,
  updatedAt: Instant,
});
export type PlanView = Static<typeof PlanView>;
export const PlanList = listOf(PlanView);
export type PlanList = Static<typeof PlanList>;

export const PlanDetail = closed({ ...PlanView.properties, activeSubscriptionsCount: Count });
export type PlanDetail = Static<typeof PlanDetail>;
