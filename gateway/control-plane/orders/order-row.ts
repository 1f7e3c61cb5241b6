import type { OrderView } from '@weir/shared/money/orders';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { NANO_USD_PER_CENT } from '../api/amount.ts';
import { type Database, lockRow } from '../api/transaction.ts';
import type { PlanRow } from '../plans/plan-row.ts';

/**
 * What a plan gives at the time it is ordered; an administrator may change the plan before it is
 * paid.
 */
export type PlanTerms = Pick<PlanRow, 'periodDays' | 'allowances' | 'groups'>;

export interface OrderRow {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly userId: string;
  readonly kind: OrderView['kind'];
  readonly amountNanoUsd: number;
  readonly refundedNanoUsd: number;
  readonly chargedBackNanoUsd: number;
  readonly planId: string | null;
  readonly planName: string | null;
  /** Null also for a plan that was ordered by an earlier version, which kept none. */
  readonly planTerms: PlanTerms | null;
  readonly status: OrderView['status'];
  readonly checkoutSessionId: string | null;
  readonly checkoutUrl: string | null;
  readonly paymentIntentId: string | null;
  readonly dispute: string | null;
  readonly paidAt: Date | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** What went back is counted from the refunds, so that the two can never differ. */
export const ORDER_COLUMNS = `
  o.id, o.account_id as "accountId",
    (select name from accounts where id = o.account_id) as "accountName",
    o.user_id as "userId", o.kind, o.amount_nano_usd as "amountNanoUsd",
    coalesce((select sum(r.amount_nano_usd)::bigint from order_refunds r
              where r.order_id = o.id and r.status <> 'failed'), 0) as "refundedNanoUsd",
    coalesce((select sum(r.amount_nano_usd)::bigint from order_refunds r
              where r.order_id = o.id and r.status <> 'failed' and r.kind = 'chargeback'), 0) as "chargedBackNanoUsd",
    o.plan_id as "planId", p.name as "planName",
    o.plan_terms as "planTerms", o.status, o.checkout_session_id as "checkoutSessionId",
    o.checkout_url as "checkoutUrl", o.payment_intent_id as "paymentIntentId", o.dispute,
    o.paid_at as "paidAt", o.expires_at as "expiresAt", o.created_at as "createdAt"`;

export const ORDER_TABLES = 'orders o left join plans p on p.id = o.plan_id';

export const SELECT_ORDERS = `select ${ORDER_COLUMNS} from ${ORDER_TABLES}`;

export async function findOrder(
  db: Database,
  orderId: string,
  options: { readonly lock: boolean } = { lock: false },
): Promise<OrderRow | undefined> {
  if (options.lock) await lockRow(db, 'orders', orderId);
  return (await db.query<OrderRow>(`${SELECT_ORDERS} where o.id = $1`, [orderId])).rows[0];
}

export function orderView(row: OrderRow): OrderView {
  return {
    id: row.id,
    accountId: row.accountId,
    accountName: row.accountName,
    kind: row.kind,
    amountUsd: decimalFromNanoUsd(row.amountNanoUsd),
    refundedUsd: decimalFromNanoUsd(row.refundedNanoUsd),
    chargedBackUsd: decimalFromNanoUsd(row.chargedBackNanoUsd),
    planId: row.planId,
    planName: row.planName,
    status: row.status,
    checkoutUrl: row.status === 'pending' ? row.checkoutUrl : null,
    paidAt: row.paidAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Stripe counts in cents. Orders and refunds are whole cents, so nothing is rounded. */
export function centsOf(nanoUsd: number): number {
  const cents = nanoUsd / NANO_USD_PER_CENT;
  if (!Number.isInteger(cents))
    throw new Error(`${String(nanoUsd)} nanodollars are no whole cents`);
  return cents;
}

export function isWholeCents(nanoUsd: number): boolean {
  return nanoUsd % NANO_USD_PER_CENT === 0;
}
