import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Instant, nullable, partial, Usd, UsdAmount } from '../api/wire-values.ts';

/** The subject of a budget: the account itself, a team (`team:5`) or a member (`member:7`). */
export const BudgetScope = Type.String({ pattern: '^(account|(team|member):[1-9]\\d{0,17})$' });

/** Null is no limit; a budget of 0 allows nothing. Days and months are of the account's zone. */
const BUDGETS = {
  totalUsd: nullable(UsdAmount),
  dayUsd: nullable(UsdAmount),
  monthUsd: nullable(UsdAmount),
};

export const Budgets = closed(BUDGETS);
export type Budgets = Static<typeof Budgets>;

/** Effective on the gateways within a second. What was spent before still counts. */
export const BudgetUpdate = partial(closed(BUDGETS), { additionalProperties: false });
export type BudgetUpdate = Static<typeof BudgetUpdate>;

export const BudgetView = closed({
  scope: BudgetScope,
  kind: choice(['account', 'team', 'member']),
  /** The name of the team or account; the e-mail address of a member. */
  name: Type.String(),
  ...BUDGETS,
  /** Drained usage: a second or so behind. Null for an account that has no budget of its own. */
  spend: nullable(closed({ totalUsd: Usd, dayUsd: Usd, monthUsd: Usd })),
});
export type BudgetView = Static<typeof BudgetView>;

/** An IANA name such as `Europe/Berlin`. */
const TimeZone = Type.String({ minLength: 1, maxLength: 64 });

/** Budgets of the account, its teams and its members. */
export const BudgetList = closed({
  /** The zone of days and months now. */
  timeZone: TimeZone,
  /** A zone that was chosen and is not in force yet. */
  nextTimeZone: nullable(closed({ timeZone: TimeZone, from: Instant })),
  /** The ends of the present day and month. */
  dayResetsAt: Instant,
  monthResetsAt: Instant,
  data: Type.Array(BudgetView),
});
export type BudgetList = Static<typeof BudgetList>;

export const TimeZoneUpdate = closed({ timeZone: TimeZone });
export type TimeZoneUpdate = Static<typeof TimeZoneUpdate>;
