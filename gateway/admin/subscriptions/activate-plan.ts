import { refuse, type Refusal } from '../../errors/refusal.ts';
import { newRequestId } from '../../clock/request-id.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import type { PlanRow } from '../plans/plan-row.ts';

type PeriodSource = 'balance' | 'renewal' | 'card' | 'code' | 'grant';

export interface PeriodPurchase {
  /** Names the purchase: the same one again finds what it made and does nothing. */
  readonly periodId: string;
  readonly accountId: string;
  readonly plan: PlanRow;
  readonly source: PeriodSource;
  readonly priceNanoUsd: number;
  readonly days: number;
  /** Null leaves a running subscription's choice as it is; a new one does not renew. */
  readonly renews: boolean | null;
}

const FIND_PERIOD = `
  select subscription_id as "subscriptionId" from subscription_periods where id = $1`;

const FIND_RUNNING = `
  select id, ends_at as "endsAt" from subscriptions
  where account_id = $1 and plan_id = $2 and status = 'active' and ends_at > now()
  order by ends_at desc limit 1 for update`;

const INSERT = `
  insert into subscriptions (id, account_id, plan_id, started_at, ends_at, renews, allowances, group_ids)
  values ($1, $2, $3, now(), now() + make_interval(days => $4), $5, $6, $7)
  returning started_at as "startsAt", ends_at as "endsAt"`;

/** A running subscription goes on: its windows keep counting, its end moves. */
const EXTEND = `
  update subscriptions set ends_at = ends_at + make_interval(days => $2), renews = coalesce($3, renews),
    updated_at = now()
  where id = $1
  returning ends_at - make_interval(days => $2) as "startsAt", ends_at as "endsAt"`;

/** A new period is on the terms that are for sale now. */
export const TAKE_TERMS = `
  update subscriptions set allowances = $2, group_ids = $3 where id = $1`;

const INSERT_PERIOD = `
  insert into subscription_periods
    (id, subscription_id, account_id, plan_id, source, price_nano_usd, starts_at, ends_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

interface Span {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** The subscription that a purchase made, undefined when it has not been made. */
export async function findPurchased(db: Database, periodId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ subscriptionId: string }>(FIND_PERIOD, [periodId]);
  return rows[0]?.subscriptionId;
}

export function refuseUnusablePlan(plan: PlanRow | undefined): PlanRow | Refusal {
  if (plan === undefined) {
    return refuse('plan_unavailable', 'There is no such plan.', { param: 'planId' });
  }
  if (plan.status === 'active') return plan;
  return refuse('plan_unavailable', 'This plan is no longer for sale. Choose another.', {
    param: 'planId',
  });
}

async function insertSubscription(
  db: Database,
  purchase: PeriodPurchase,
  subscriptionId: string,
): Promise<Span> {
  const { plan } = purchase;
  const { rows } = await db.query<Span>(INSERT, [
    subscriptionId,
    purchase.accountId,
    plan.id,
    purchase.days,
    purchase.renews ?? false,
    JSON.stringify(plan.allowances),
    plan.groups.map(({ id }) => id),
  ]);
  return onlyRow(rows);
}

/**
 * Gives an account a period of a plan, in the transaction of its payment: a new subscription, or a longer one
 * when the same plan is running. Answers the subscription's id.
 */
export async function activatePlan(db: Database, purchase: PeriodPurchase): Promise<string> {
  // The account's row orders two purchases at once, so that they make one subscription and lengthen it.
  await db.query('select 1 from accounts where id = $1 for no key update', [purchase.accountId]);
  const known = await findPurchased(db, purchase.periodId);
  if (known !== undefined) return known;
  const { rows } = await db.query<{ id: string }>(FIND_RUNNING, [
    purchase.accountId,
    purchase.plan.id,
  ]);
  const runningId = rows[0]?.id;
  const subscriptionId = runningId ?? newRequestId(Date.now());
  const span =
    runningId === undefined
      ? await insertSubscription(db, purchase, subscriptionId)
      : onlyRow((await db.query<Span>(EXTEND, [runningId, purchase.days, purchase.renews])).rows);
  await db.query(INSERT_PERIOD, [
    purchase.periodId,
    subscriptionId,
    purchase.accountId,
    purchase.plan.id,
    purchase.source,
    purchase.priceNanoUsd,
    span.startsAt,
    span.endsAt,
  ]);
  return subscriptionId;
}
