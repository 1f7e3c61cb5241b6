import type { ErrorCode } from '@weir/shared/error-catalogue';
import { newRequestId } from '../../clock/request-id.ts';
import type { AdminContext } from '../api/context.ts';
import { onlyRow } from '../api/transaction.ts';
import { writeMail, type MailLanguage } from '../mail/mails.ts';
import { findPlan } from '../plans/plan-row.ts';
import { readSettings } from '../settings/read-settings.ts';
import { buyFromBalance } from './buy-from-balance.ts';

/** Renewals are bought this long before the end, so that there is no gap between two periods. */
const AHEAD_MINUTES = 5;
const BATCH = 100;

/** From a position on, so that those whose balance does not suffice do not keep others waiting. */
const DUE = `
  select id, account_id as "accountId", plan_id as "planId", ends_at::text as "endsAt", ends_at <= now() as over
  from subscriptions
  where status = 'active' and renews and ends_at <= now() + make_interval(mins => $1)
    and (ends_at, id) > ($3::timestamptz, $4::uuid)
  order by ends_at, id limit $2`;
const FIRST_POSITION = { endsAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

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
  /** As PostgreSQL writes it: to the microsecond. */
  readonly endsAt: string;
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

/** With any other refusal the owner has nothing to do with: what is due stays due. */
const CANNOT_PAY: readonly ErrorCode[] = ['insufficient_balance', 'account_suspended'];

/** Buys the next period on the terms that are for sale now. */
async function renew(context: AdminContext, due: DueRow): Promise<'settled' | 'cannot_pay'> {
  const plan = await findPlan(context.pool, due.planId);
  if (plan?.status !== 'active') return 'cannot_pay';
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
      renewing: { id: due.id, aheadMinutes: AHEAD_MINUTES },
    },
    'system',
  );
  // Of a refused one the hold is closed or never was; the next try is a purchase of its own.
  await context.pool.query(DONE, [due.id]);
  return 'refused' in bought && CANNOT_PAY.includes(bought.refused) ? 'cannot_pay' : 'settled';
}

/** One that breaks off stays due, and keeps nobody behind it waiting. */
async function tryToRenew(context: AdminContext, due: DueRow): Promise<'settled' | 'cannot_pay'> {
  try {
    return await renew(context, due);
  } catch (error) {
    context.logger.error({ err: error, subscriptionId: due.id }, 'a renewal broke off');
    return 'settled';
  }
}

/** Renews what is due and ends what is over. */
export async function renewSubscriptions(context: AdminContext): Promise<void> {
  const failed: string[] = [];
  let position: Pick<DueRow, 'endsAt' | 'id'> | undefined = FIRST_POSITION;
  while (position !== undefined) {
    const page: { rows: DueRow[] } = await context.pool.query<DueRow>(DUE, [
      AHEAD_MINUTES,
      BATCH,
      position.endsAt,
      position.id,
    ]);
    for (const due of page.rows) {
      if ((await tryToRenew(context, due)) === 'settled' || !due.over) continue;
      failed.push(due.id);
      await tellFailure(context, due.accountId);
    }
    position = page.rows.at(-1);
  }
  await context.pool.query(END_DUE, [failed]);
}
