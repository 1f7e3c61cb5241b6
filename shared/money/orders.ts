import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Id, Instant, nullable, Reason, UsdAmount } from '../api/wire-values.ts';
import { PAGE_QUERY, pageOf } from '../api/pages.ts';

export const ORDER_KINDS = ['top_up', 'plan'] as const;

/**
 * `pending`: awaiting payment. `paid`: credited. `expired`: not paid in time, or the payment
 * failed. `disputed`: what was paid differs from what was ordered, so nothing was credited and a
 * person must look.
 */
export const ORDER_STATUSES = [
  'pending',
  'paid',
  'expired',
  'disputed',
  'partly_refunded',
  'refunded',
] as const;

/** Orders a top-up or a plan, to be paid by card. Takes an Idempotency-Key. */
export const OrderCreate = closed({
  kind: choice(ORDER_KINDS),
  /** For kind `top_up`; whole cents. */
  amountUsd: Type.Optional(UsdAmount),
  /** For kind `plan`. */
  planId: Type.Optional(Id),
});
export type OrderCreate = Static<typeof OrderCreate>;

export const OrderView = closed({
  id: Id,
  accountId: Id,
  accountName: Type.String(),
  kind: choice(ORDER_KINDS),
  amountUsd: UsdAmount,
  /** The amount returned by refunds and chargebacks. */
  refundedUsd: UsdAmount,
  /** The part that the card holder's bank took in a dispute. */
  chargedBackUsd: UsdAmount,
  planId: nullable(Id),
  planName: nullable(Type.String()),
  status: choice(ORDER_STATUSES),
  /** The address of the checkout, while pending. */
  checkoutUrl: nullable(Type.String()),
  paidAt: nullable(Instant),
  expiresAt: nullable(Instant),
  createdAt: Instant,
});
export type OrderView = Static<typeof OrderView>;

/** Orders of an operator's list of orders; `-` sorts descending. */
export const ORDER_SORTS = [
  '-created',
  'created',
  '-amount',
  'amount',
  'status',
  '-status',
] as const;

export const OrderListQuery = closed({
  ...PAGE_QUERY,
  status: Type.Optional(choice(ORDER_STATUSES)),
});
export type OrderListQuery = Static<typeof OrderListQuery>;
export const OrderAdminListQuery = closed({
  ...OrderListQuery.properties,
  accountId: Type.Optional(Id),
  /** The newest first when absent. */
  sort: Type.Optional(choice(ORDER_SORTS)),
});
export type OrderAdminListQuery = Static<typeof OrderAdminListQuery>;
export const OrderPage = pageOf(OrderView);
export type OrderPage = Static<typeof OrderPage>;

/** Sends money back to the card and takes it from the balance. Takes an Idempotency-Key. */
export const RefundCreate = closed({
  /** The amount in whole cents; absent: all that is left to refund. */
  amountUsd: Type.Optional(UsdAmount),
  reason: Reason,
});
export type RefundCreate = Static<typeof RefundCreate>;

/** The reply to Stripe for a delivered webhook. */
export const WebhookReceipt = closed({ received: Type.Boolean() });
export type WebhookReceipt = Static<typeof WebhookReceipt>;
