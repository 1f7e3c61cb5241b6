import type { Database } from '../api/transaction.ts';
import { findRunning, lockAccount } from './activate-plan.ts';

/** A period that was paid by card, by the id of its order. */
interface PaidPeriod {
  readonly periodId: string;
  readonly accountId: string;
}

/** A change by hand waits too: what is taken is reckoned from the end that counts. */
const LOCK_SUBSCRIPTION = `
  select 1 from subscriptions s join subscription_periods p on p.subscription_id = s.id
  where p.id = $1 for update of s`;

/**
 * The period's length, or what is left when that is less. Noted with the period, so that a repeat
 * takes nothing again. In seconds: an interval of days would be an hour more or less when the
 * clocks change.
 */
const NOTE_TAKEN = `
  update subscription_periods p set
    taken_back = make_interval(secs => extract(epoch from least(p.ends_at - p.starts_at, s.left_over))),
    stopped_renewal = s.renews and p.ends_at - p.starts_at >= s.left_over
  from (select id, status, renews, greatest(ends_at - now(), interval '0') as left_over from subscriptions) s
  where p.id = $1 and s.id = p.subscription_id and s.status = 'active' and p.taken_back is null`;

const SHORTEN = `
  update subscriptions s set
    status = case when s.ends_at - p.taken_back <= now() then 'cancelled' else s.status end,
    renews = s.renews and not p.stopped_renewal,
    ends_at = s.ends_at - p.taken_back, updated_at = now()
  from subscription_periods p
  where p.id = $1 and s.id = p.subscription_id`;

/**
 * The period whose price went back whole is taken back, once: the subscription is over, or ends so
 * much earlier.
 *
 * The account is locked as for a purchase: computed concurrently, the end would leave out what was
 * just bought.
 */
export async function takePeriodBack(db: Database, period: PaidPeriod): Promise<void> {
  await lockAccount(db, period.accountId);
  await db.query(LOCK_SUBSCRIPTION, [period.periodId]);
  const noted = await db.query(NOTE_TAKEN, [period.periodId]);
  if (noted.rowCount !== 0) await db.query(SHORTEN, [period.periodId]);
}

const FIND_TAKEN = `
  select subscription_id as "subscriptionId", plan_id as "planId" from subscription_periods
  where id = $1 and taken_back is not null`;

/** From now on where it is over: the time since then was not had. */
const LENGTHEN = `
  update subscriptions s set status = 'active',
    renews = s.renews or (p.stopped_renewal and s.id = p.subscription_id),
    ends_at = greatest(s.ends_at, now()) + p.taken_back, updated_at = now()
  from subscription_periods p
  where p.id = $1 and s.id = $2`;

/**
 * The period is what was given back: taken again at its first length, it would take of others that
 * were paid for.
 */
const FORGET_TAKEN = `
  update subscription_periods p set taken_back = null, stopped_renewal = false, subscription_id = s.id,
    starts_at = s.ends_at - p.taken_back, ends_at = s.ends_at
  from subscriptions s
  where p.id = $1 and s.id = $2`;

/**
 * Gives back what was taken when the price was not returned after all; nothing when nothing was
 * taken. When the plan was bought again in the meantime that subscription gets it: two that run at
 * once would allow twice as much.
 */
export async function givePeriodBack(db: Database, period: PaidPeriod): Promise<void> {
  const { periodId, accountId } = period;
  await lockAccount(db, accountId);
  const { rows } = await db.query<{ subscriptionId: string; planId: string }>(FIND_TAKEN, [
    periodId,
  ]);
  const [taken] = rows;
  if (taken === undefined) return;
  const running = await findRunning(db, { accountId, planId: taken.planId });
  const where = [periodId, running ?? taken.subscriptionId];
  await db.query(LENGTHEN, where);
  await db.query(FORGET_TAKEN, where);
}
