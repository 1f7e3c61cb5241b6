import * as Type from 'typebox';
import type { Static } from 'typebox';
import { closed, nullable, UsdAmount } from './wire-values.ts';

/**
 * Before an account has chosen: nothing about the balance, budgets at 90 %, plans three days ahead.
 */
export const NOTICE_DEFAULTS = {
  lowBalanceUsd: null,
  budgetPercent: 90,
  planEndingDays: 3,
} as const;

const NOTICES = {
  /** When the balance falls below: once, and again only after it was above. */
  lowBalanceUsd: nullable(UsdAmount),
  /** When so much of a key's budget is used: once for each budget and period. */
  budgetPercent: nullable(Type.Integer({ minimum: 1, maximum: 100 })),
  /** So many days before a plan ends that will not renew. */
  planEndingDays: nullable(Type.Integer({ minimum: 1, maximum: 30 })),
};

/** What the users of an account are mailed about. Null is nothing. */
export const NoticeSettings = closed(NOTICES);
export type NoticeSettings = Static<typeof NoticeSettings>;

export const NoticeSettingsUpdate = Type.Partial(closed(NOTICES), { additionalProperties: false });
export type NoticeSettingsUpdate = Static<typeof NoticeSettingsUpdate>;
