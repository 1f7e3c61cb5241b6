import { underLockIfFree } from '../../stores/postgres/under-lock.ts';
import { eraseOldContent } from '../../content-log/erase-content.ts';
import { mailAccounting } from '../accounting/mail-accounting.ts';
import { evaluateAlerts } from '../alerts/judges/evaluate-alerts.ts';
import type { AdminContext } from '../api/context.ts';
import { IDEMPOTENCY_MEMORY_DAYS } from '../api/idempotency.ts';
import { applyDirectories } from '../directories/people/apply-directory.ts';
import { sendDeliveries } from '../deliveries/send-deliveries.ts';
import { sumMargins } from '../margins/margin-sums.ts';
import { notifyCustomers } from '../notices/notify-customers.ts';
import { reconcileOrders } from '../orders/reconcile.ts';
import { dropOldRequests } from '../requests/retention.ts';
import { renewSubscriptions } from '../subscriptions/renew-subscriptions.ts';
import { readUpstreamBalances } from '../upstream-balances/read-balances.ts';
import { closeUsageDays } from '../usage/close-days.ts';
import { dropOldUsage } from '../usage/retention.ts';

interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Any number; all processes agree on it. One of them does a job at a time. */
  readonly lock: number;
  readonly run: (context: AdminContext) => Promise<void>;
}

const CHANNEL_TESTS_DAYS = 30;
/** Longer than any window of an alert rule. */
const REPORTS_HOURS = 2;
const ALERT_EVENTS_DAYS = 90;
const NOTICES_DAYS = 30;
/** Marks of periods that are long over; that of a whole budget stays. */
const NOTICE_MARKS_DAYS = 400;

/** A refusal may name an address. A directory that is still refused repeats the call sooner. */
const DIRECTORY_REFUSAL_DAYS = 7;

/** A tool that does not renew its login for so long has to log in again. */
const LOGIN_IDLE_DAYS = 30;

const CLEAN_UP = [
  'delete from sessions where expires_at < now()',
  'delete from link_tokens where expires_at < now()',
  'delete from sign_on_flows where expires_at < now()',
  'delete from used_logout_tokens where expires_at < now()',
  `update directories set last_refusal = null, last_refused_at = null
   where last_refused_at < now() - make_interval(days => ${String(DIRECTORY_REFUSAL_DAYS)})`,
  'delete from attempt_counters where window_ends_at < now()',
  'delete from key_aliases where works_until < now()',
  `delete from device_login_tokens where issued_at < now() - make_interval(days => ${String(LOGIN_IDLE_DAYS)})`,
  // A login that no tool took up, or that none has used for so long.
  `update keys set status = 'deleted', updated_at = now() where status <> 'deleted' and id in (
     select d.key_id from device_logins d where d.status = 'allowed' and d.expires_at < now()
       or d.status = 'used' and not exists (
         select from device_login_tokens t where t.login_id = d.id and t.used_at is null))`,
  `delete from device_logins d where d.expires_at < now() - interval '1 day'
     and not exists (select from keys k where k.id = d.key_id and k.status <> 'deleted')`,
  `delete from access_tokens where expires_at < now() - interval '30 days'`,
  `delete from channel_tests where created_at < now() - make_interval(days => ${String(CHANNEL_TESTS_DAYS)})`,
  `delete from idempotency_keys where created_at < now() - make_interval(days => ${String(IDEMPOTENCY_MEMORY_DAYS)})`,
  `delete from process_reports where at < now() - make_interval(hours => ${String(REPORTS_HOURS)})`,
  `delete from alert_events where created_at < now() - make_interval(days => ${String(ALERT_EVENTS_DAYS)})`,
  `delete from deliveries where account_id is not null and created_at < now() - make_interval(days => ${String(NOTICES_DAYS)})`,
  `delete from sent_notices where period not like 'total %' and created_at < now() - make_interval(days => ${String(NOTICE_MARKS_DAYS)})`,
];

/** Removes what is over. */
export async function cleanUp({ pool }: Pick<AdminContext, 'pool'>): Promise<void> {
  for (const statement of CLEAN_UP) await pool.query(statement);
}

const MINUTE_MS = 60_000;

function eraseContent(context: AdminContext): Promise<void> {
  return eraseOldContent(context, context.config.contentLogDaysMax);
}

const JOBS: readonly Job[] = [
  { name: 'erase content', everyMs: MINUTE_MS, lock: 6_021_046, run: eraseContent },
  { name: 'renew subscriptions', everyMs: MINUTE_MS / 2, lock: 6_021_001, run: renewSubscriptions },
  { name: 'reconcile orders', everyMs: MINUTE_MS / 2, lock: 6_021_002, run: reconcileOrders },
  { name: 'clean up', everyMs: 10 * MINUTE_MS, lock: 6_021_003, run: cleanUp },
  { name: 'close usage days', everyMs: 5 * MINUTE_MS, lock: 6_021_005, run: closeUsageDays },
  { name: 'drop old usage', everyMs: 60 * MINUTE_MS, lock: 6_021_004, run: dropOldUsage },
  { name: 'drop old requests', everyMs: 60 * MINUTE_MS, lock: 6_021_006, run: dropOldRequests },
  { name: 'evaluate alerts', everyMs: MINUTE_MS / 4, lock: 6_021_041, run: evaluateAlerts },
  { name: 'notify customers', everyMs: MINUTE_MS, lock: 6_021_042, run: notifyCustomers },
  { name: 'sum margins', everyMs: MINUTE_MS, lock: 6_021_044, run: sumMargins },
  {
    name: 'read upstream balances',
    everyMs: MINUTE_MS,
    lock: 6_021_045,
    run: readUpstreamBalances,
  },
  { name: 'apply directories', everyMs: MINUTE_MS / 12, lock: 6_021_047, run: applyDirectories },
  { name: 'mail accounting', everyMs: 10 * MINUTE_MS, lock: 6_021_061, run: mailAccounting },
  { name: 'send messages', everyMs: MINUTE_MS / 12, lock: 6_021_043, run: sendDeliveries },
];

/**
 * Does a job unless another process is at it. The lock is a connection's, so it cannot outlive the
 * process.
 */
export async function runJob(
  context: AdminContext,
  job: Pick<Job, 'lock' | 'run'>,
): Promise<boolean> {
  return await underLockIfFree(context.pool, job.lock, () => job.run(context));
}

/** Starts the periodic jobs. */
export function startJobs(context: AdminContext): void {
  for (const job of JOBS) {
    context.jobs.start({
      name: job.name,
      everyMs: job.everyMs,
      run: () => runJob(context, job),
    });
  }
}
