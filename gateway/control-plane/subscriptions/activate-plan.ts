import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { type Database, lockRow, onlyRow } from '../api/transaction.ts';
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

/** A subscription whose renewal is being bought. */
export interface DueSubscription {
  readonly id: string;
  /** It is due when it ends within this time. */
  readonly aheadMinutes: number;
}

const FIND_PERIOD = `
  select subscription_id as "subscriptionId" from subscription_periods where id = $1`;

/**
 * One that is over and waits for its renewal is prolonged too: with a second one in parallel, both
 * would be paid for.
 */
const FIND_RUNNING = `
  select id from subscriptions
  where account_id = $1 and plan_id = $2 and status = 'active' and (ends_at > now() or renews)
  order by ends_at desc limit 1 for update`;

const INSERT = `
  insert into subscriptions (id, account_id, plan_id, started_at, ends_at, renews, allowances, group_ids)
  values ($1, $2, $3, now(), now() + make_interval(days => $4), $5, $6, $7)
  returning id as "subscriptionId", started_at as "startsAt", ends_at as "endsAt"`;

/**
 * A running subscription keeps its terms, which its buyer is shown: its windows keep
 * counting, its end moves. When nothing is left of it, the terms are those of the plan.
 */
const EXTEND = `
  update subscriptions set ends_at = greatest(ends_at, now()) + make_interval(days => $2),
    allowances = case when ends_at > now() then allowances else $4 end,
    group_ids = case when ends_at > now() then group_ids else $5 end,
    renews = coalesce($3, renews), updated_at = now()
  where id = $1
  returning id as "subscriptionId", ends_at - make_interval(days => $2) as "startsAt", ends_at as "endsAt"`;

/**
 * A period by renewal is on the terms that are for sale now. Nothing when it is not due any more:
 * since it was found to be, its owner may have turned renewal off or bought a period, and an
 * administrator may have ended it.
 */
const RENEW = `
  update subscriptions set ends_at = greatest(ends_at, now()) + make_interval(days => $2),
    allowances = $4, group_ids = $5, updated_at = now()
  where id = $1 and status = 'active' and renews and ends_at <= now() + make_interval(mins => $3)
  returning id as "subscriptionId", ends_at - make_interval(days => $2) as "startsAt", ends_at as "endsAt"`;

const INSERT_PERIOD = `
  insert into subscription_periods
    (id, subscription_id, account_id, plan_id, source, price_nano_usd, starts_at, ends_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

interface Span {
  readonly subscriptionId: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** The subscription that a purchase made, undefined when it has not been made. */
export async function findPurchased(db: Database, periodId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ subscriptionId: string }>(FIND_PERIOD, [periodId]);
  return rows[0]?.subscriptionId;
}

/**
 * Orders what lengthens and shortens an account's subscriptions, one after the other. As strong as
 * a credit's lock: made stronger later in the transaction, it could wait for someone who waits for
 * it.
 */
export async function lockAccount(db: Database, accountId: string): Promise<void> {
  await lockRow(db, 'accounts', accountId);
}

/** The running subscription of a plan, locked. A period of the same plan lengthens it. */
export async function findRunning(
  db: Database,
  of: { readonly accountId: string; readonly planId: string },
): Promise<string | undefined> {
  return (await db.query<{ id: string }>(FIND_RUNNING, [of.accountId, of.planId])).rows[0]?.id;
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

/** Returns the terms of a plan in the form of a subscription's columns. */
function termsOf(plan: PlanRow): [allowances: string, groupIds: string[]] {
  return [JSON.stringify(plan.allowances), plan.groups.map(({ id }) => id)];
}

async function insertSubscription(db: Database, purchase: PeriodPurchase): Promise<Span> {
  const { plan } = purchase;
  const { rows } = await db.query<Span>(INSERT, [
    newRequestId(Date.now()),
    purchase.accountId,
    plan.id,
    purchase.days,
    purchase.renews ?? false,
    ...termsOf(plan),
  ]);
  return onlyRow(rows);
}

/** A new subscription, or a longer one when the same plan is running. */
async function startOrExtend(db: Database, purchase: PeriodPurchase): Promise<Span> {
  const { accountId, plan, days, renews } = purchase;
  const runningId = await findRunning(db, { accountId, planId: plan.id });
  if (runningId === undefined) return insertSubscription(db, purchase);
  const { rows } = await db.query<Span>(EXTEND, [runningId, days, renews, ...termsOf(plan)]);
  return onlyRow(rows);
}

async function writePeriod(db: Database, purchase: PeriodPurchase, span: Span): Promise<string> {
  await db.query(INSERT_PERIOD, [
    purchase.periodId,
    span.subscriptionId,
    purchase.accountId,
    purchase.plan.id,
    purchase.source,
    purchase.priceNanoUsd,
    span.startsAt,
    span.endsAt,
  ]);
  return span.subscriptionId;
}

/**
 * Gives an account a period of a plan, in the transaction of its payment: a new subscription, or a
 * longer one when the same plan is running. Returns the subscription's id.
 */
export async function activatePlan(db: Database, purchase: PeriodPurchase): Promise<string> {
  // Two purchases at once make one subscription and lengthen it.
  await lockAccount(db, purchase.accountId);
  const known = await findPurchased(db, purchase.periodId);
  if (known !== undefined) return known;
  return writePeriod(db, purchase, await startOrExtend(db, purchase));
}

/**
 * Gives a subscription that renews its next period, in the transaction of its payment, also when it
 * is over by then. To it and to no other: one that stayed due would be paid for again and again.
 * Undefined when it is not due any more.
 */
export async function renewPlan(
  db: Database,
  purchase: PeriodPurchase,
  due: DueSubscription,
): Promise<string | undefined> {
  await lockAccount(db, purchase.accountId);
  const known = await findPurchased(db, purchase.periodId);
  if (known !== undefined) return known;
  const { plan, days } = purchase;
  const { rows } = await db.query<Span>(RENEW, [due.id, days, due.aheadMinutes, ...termsOf(plan)]);
  const [span] = rows;
  return span === undefined ? undefined : writePeriod(db, purchase, span);
}
