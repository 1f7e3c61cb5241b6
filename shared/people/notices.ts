import * as Type from 'typebox';
import type { Static } from 'typebox';
import { closed, nullable, partial, UsdAmount } from '../api/wire-values.ts';

/**
 * Before an account has chosen: nothing about the balance, budgets at 90 %, plans three days ahead.
 */
export const NOTICE_DEFAULTS = {
  lowBalanceUsd: null,
  budgetPercent: 90,
  planEndingDays: 3,
} as const;

const NOTICES = {
  /** The balance below which a mail is sent: once, and again only after it was above. */
  lowBalanceUsd: nullable(UsdAmount),
  /** The used part of a key's budget at which a mail is sent: once for each budget and period. */
  budgetPercent: nullable(Type.Integer({ minimum: 1, maximum: 100 })),
  /** The days before the end of a plan that will not renew. */
  planEndingDays: nullable(Type.Integer({ minimum: 1, maximum: 30 })),
};

/** The events that the users of an account get mails about. Null is none. */
export const NoticeSettings = closed(NOTICES);
export type NoticeSettings = Static<typeof NoticeSettings>;

export const NoticeSettingsUpdate = partial(closed(NOTICES), { additionalProperties: false });
export type NoticeSettingsUpdate = Static<typeof NoticeSettingsUpdate>;
