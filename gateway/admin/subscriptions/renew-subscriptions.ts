import { newRequestId } from '../../clock/request-id.ts';
import type { AdminContext } from '../api/context.ts';
import { onlyRow } from '../api/transaction.ts';
import { writeMail, type MailLanguage } from '../mail/mails.ts';
import { findPlan } from '../plans/plan-row.ts';
import { readSettings } from '../settings/read-settings.ts';
import { TAKE_TERMS } from './activate-plan.ts';
import { buyFromBalance } from './buy-from-balance.ts';

/** Renewals are bought this long before the end, so that there is no gap between two periods. */
const AHEAD_MINUTES = 5;
const BATCH = 100;

const DUE = `
  select id, account_id as "accountId", plan_id as "planId", ends_at <= now() as over
  from subscriptions
  where status = 'active' and renews and ends_at <= now() + make_interval(mins => $1)
  order by ends_at limit $2`;

/** Keeps one purchase id until it is done: a crash in between repeats the same purchase. */
const BEGIN = `
  update subscriptions set renewal_id = coalesce(renewal_id, $2) where id = $1
  returning renewal_id as "renewalId"`;

const DONE = 'update subscriptions set renewal_id = null where id = $1';

const END_DUE = `
  update subscriptions set status = 'ended', renewal_id = null, updated_at = now()
  where status = 'active' and ends_at <= now() and (not renews or id = any ($1))`;

const PEOPLE = `
  select email, language from users where account_id = $1 and disabled_at is null`;

interface DueRow {
  readonly id: string;
  readonly accountId: string;
  readonly planId: string;
  readonly over: boolean;
}

async function tellFailure(context: AdminContext, accountId: string): Promise<void> {
  const { siteName } = await readSettings(context.pool);
  const { rows } = await context.pool.query<{ email: string; language: MailLanguage | null }>(
    PEOPLE,
    [accountId],
  );
  const link = `${context.consoleUrl}/billing`;
  for (const { email: to, language } of rows) {
    context.mailer.send(writeMail('renewal_failed', { to, siteName, language, link }));
  }
}

/** Buys the next period on the terms that are for sale now. Answers whether it did. */
async function renew(context: AdminContext, due: DueRow): Promise<boolean> {
  const plan = await findPlan(context.pool, due.planId);
  if (plan?.status !== 'active') return false;
  const { rows } = await context.pool.query<{ renewalId: string }>(BEGIN, [
    due.id,
    newRequestId(Date.now()),
  ]);
  const bought = await buyFromBalance(
    context,
    {
      periodId: onlyRow(rows).renewalId,
      accountId: due.accountId,
      plan,
      source: 'renewal',
      priceNanoUsd: plan.priceNanoUsd,
      days: plan.periodDays,
      renews: true,
    },
    'system',
  );
  if ('refused' in bought) {
    // Its hold is closed or never was; the next try is a purchase of its own.
    await context.pool.query(DONE, [due.id]);
    return false;
  }
  await context.pool.query(TAKE_TERMS, [
    due.id,
    JSON.stringify(plan.allowances),
    plan.groups.map(({ id }) => id),
  ]);
  await context.pool.query(DONE, [due.id]);
  return true;
}

/** Renews what is due and ends what is over. */
export async function renewSubscriptions(context: AdminContext): Promise<void> {
  const { rows } = await context.pool.query<DueRow>(DUE, [AHEAD_MINUTES, BATCH]);
  const failed: string[] = [];
  for (const due of rows) {
    if ((await renew(context, due)) || !due.over) continue;
    failed.push(due.id);
    await tellFailure(context, due.accountId);
  }
  await context.pool.query(END_DUE, [failed]);
}
