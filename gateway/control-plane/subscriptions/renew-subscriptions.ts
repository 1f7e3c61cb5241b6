import type { ErrorCode } from '@weir/shared/api/error-catalogue';
import { ledgerNowMs } from '../../platform/clock/store-clock.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { AdminContext } from '../api/context.ts';
import { onlyRow } from '../api/transaction.ts';
import { IS_BILLING_MEMBER } from '../members/billing-members.ts';
import { writeMail, type MailKind, type MailLanguage } from '../mail/mails.ts';
import { findPlanFor } from '../plans/plan-row.ts';
import { readSettings } from '../settings/read-settings.ts';
import { refuseUnusablePlan } from './activate-plan.ts';
import { buyFromBalance } from './buy-from-balance.ts';

/** Renewals are bought this long before the end, so that there is no gap between two periods. */
const AHEAD_MINUTES = 5;
const BATCH = 100;
/**
 * Total time for which a round waits for free slots among the mails under way: an unreachable mail
 * server must not delay renewals.
 */
const MAILS_WAIT_MS_MAX = 30_000;

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

/**
 * A subscription whose renewal failed, with the person to notify: no one if it did not end, because
 * someone has bought it or turned renewal off by now.
 */
const END_UNRENEWED = `
  with ended as (
    update subscriptions set status = 'ended', renewal_id = null, updated_at = now()
    where id = $1 and status = 'active' and renews and ends_at <= now()
    returning account_id)
  select u.email, u.language from members m join users u on u.id = m.user_id
  where m.account_id in (select account_id from ended) and ${IS_BILLING_MEMBER}`;

const END_OVER = `
  update subscriptions set status = 'ended', renewal_id = null, updated_at = now()
  where status = 'active' and ends_at <= now() and not renews`;

interface DueRow {
  readonly id: string;
  readonly accountId: string;
  readonly planId: string;
  /** PostgreSQL's text of it, to the microsecond. */
  readonly endsAt: string;
  readonly over: boolean;
}

/**
 * The refusals that end a subscription, each with its mail. After any other refusal the renewal
 * stays due, and the owner has nothing to do.
 */
const FINAL: ReadonlyMap<ErrorCode, MailKind> = new Map([
  ['insufficient_balance', 'renewal_unpaid'],
  ['account_suspended', 'renewal_suspended'],
  ['plan_unavailable', 'renewal_withdrawn'],
]);

/** Buys the next period on the terms that are for sale now. */
async function renew(context: AdminContext, due: DueRow): Promise<Refusal | undefined> {
  const plan = refuseUnusablePlan(await findPlanFor(context.pool, due));
  if ('refused' in plan) return plan;
  const { rows } = await context.pool.query<{ renewalId: string }>(BEGIN, [
    due.id,
    newRequestId(ledgerNowMs()),
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
  return 'refused' in bought ? bought : undefined;
}

/**
 * Ends it and then notifies its owner: the other way round, a failure in between would notify them
 * again with every try.
 */
async function endUnrenewed(
  context: AdminContext,
  { id }: DueRow,
  about: { readonly mail: MailKind; readonly mailsUntilMs: number },
): Promise<void> {
  const { siteName } = await readSettings(context.pool);
  const { rows } = await context.pool.query<{ email: string; language: MailLanguage | null }>(
    END_UNRENEWED,
    [id],
  );
  const link = `${context.consoleUrl}/billing`;
  for (const { email: to, language } of rows) {
    const mail = writeMail(about.mail, { to, siteName, language, link });
    await context.mailer.sendInTurn(mail, about.mailsUntilMs);
  }
}

/** One that fails stays due and does not delay those after it. */
async function renewOrEnd(context: AdminContext, due: DueRow, mailsUntilMs: number): Promise<void> {
  try {
    const refusal = await renew(context, due);
    const mail = refusal === undefined ? undefined : FINAL.get(refusal.refused);
    if (mail !== undefined && due.over) await endUnrenewed(context, due, { mail, mailsUntilMs });
  } catch (error) {
    context.logger.error({ err: error, subscriptionId: due.id }, 'a renewal failed');
  }
}

/** Renews what is due and ends what is over. */
export async function renewSubscriptions(context: AdminContext): Promise<void> {
  const mailsUntilMs = performance.now() + MAILS_WAIT_MS_MAX;
  let position: Pick<DueRow, 'endsAt' | 'id'> | undefined = FIRST_POSITION;
  while (position !== undefined) {
    const page: { rows: DueRow[] } = await context.pool.query<DueRow>(DUE, [
      AHEAD_MINUTES,
      BATCH,
      position.endsAt,
      position.id,
    ]);
    for (const due of page.rows) await renewOrEnd(context, due, mailsUntilMs);
    position = page.rows.at(-1);
  }
  await context.pool.query(END_OVER);
}
