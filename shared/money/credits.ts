import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Id, Instant, Reason, Usd } from '../api/wire-values.ts';
import { PAGE_QUERY, pageOf } from '../api/pages.ts';

/** Everything that changes an account's money other than usage. */
export const CREDIT_KINDS = [
  'top_up',
  'redemption',
  'refund',
  'chargeback',
  'adjustment',
  'plan_purchase',
  'bootstrap',
  'recovered_usage',
] as const;
export type CreditKind = (typeof CREDIT_KINDS)[number];

/** Gives or takes money by hand. Takes an Idempotency-Key. */
export const CreditCreate = closed({
  /** Negative takes money. */
  amountUsd: Usd,
  kind: Type.Optional(choice(['adjustment', 'top_up', 'refund'])),
  /** The customer sees it. */
  reason: Reason,
});
export type CreditCreate = Static<typeof CreditCreate>;

export const CreditView = closed({
  accountId: Id,
  accountName: Type.String(),
  /** 1, 2, 3 … within the account. */
  sequence: Type.Integer(),
  amountUsd: Usd,
  kind: choice(CREDIT_KINDS),
  reason: Type.String(),
  /** The author: a user id, `stripe` or `system`. */
  actor: Type.String(),
  createdAt: Instant,
});
export type CreditView = Static<typeof CreditView>;

/** Orders of an operator's list of credits; `-` sorts descending. */
export const CREDIT_SORTS = ['-created', 'created', '-amount', 'amount'] as const;

export const CreditListQuery = closed({ ...PAGE_QUERY, kind: Type.Optional(choice(CREDIT_KINDS)) });
export type CreditListQuery = Static<typeof CreditListQuery>;
export const CreditAdminListQuery = closed({
  ...CreditListQuery.properties,
  accountId: Type.Optional(Id),
  /** The newest first when absent. */
  sort: Type.Optional(choice(CREDIT_SORTS)),
});
export type CreditAdminListQuery = Static<typeof CreditAdminListQuery>;
export const CreditPage = pageOf(CreditView);
export type CreditPage = Static<typeof CreditPage>;
