import { redactSecrets } from '@weir/shared/redact-secrets';
import { causeOf } from '../../platform/errors/cause-of.ts';
import type { AdminContext } from '../api/context.ts';
import type { Database } from '../api/transaction.ts';
import { MAIL_COLUMNS, type AccountingMailRow } from './mail-row.ts';
import { readPeriod } from './month-period.ts';
import { writeMonthMail, type MonthMail } from './month-mail.ts';

/** Requests that began in the month have ended by then, and their bills are in the book. */
const DELAY_HOURS = 6;
/** A mail that was not finished by then was cut off with its process. */
const SENDING_MINUTES_MAX = 15;
const ATTEMPTS_MAX = 12;
/** After the first failure; doubled by each, at most the second. */
const RETRY_SECONDS = 60;
const RETRY_SECONDS_MAX = 7_200;
/** So long a month that did not arrive keeps the job failing. */
const SHOWN_DAYS = 31;
const ERROR_CHARACTERS_MAX = 500;

/** Months that ended since mails were switched on and have no mails yet. */
const DUE_MONTHS = `
  select to_char(month, 'YYYY-MM-DD') as month, s.mail_addresses as addresses
  from accounting_settings s cross join lateral generate_series(
    date_trunc('month', s.mails_since at time zone s.time_zone),
    date_trunc('month', now() at time zone s.time_zone), interval '1 month') month
  where (month + interval '1 month') at time zone s.time_zone + make_interval(hours => $1) <= now()
    and not exists (select from accounting_mails m where m.month = month.month::date)
  order by month`;

/** All addresses of a month at once: one that is missing would never be added. */
const INSERT = `
  insert into accounting_mails (id, month, address)
  select gen_random_uuid(), $1::date, address from (select distinct unnest($2::text[]) as address) addresses
  on conflict (month, address) do nothing`;

/** Nobody knows whether it arrived; a person decides whether it is sent again. */
const GIVE_UP_LOST = `
  update accounting_mails set status = 'unknown', error = 'The process ended while it was sending.'
  where status = 'sending' and claimed_at < now() - make_interval(mins => $1)`;

const CLAIM = `
  update accounting_mails set status = 'sending', claimed_at = now(), attempts = attempts + 1
  where id = (
    select id from accounting_mails where status = 'waiting' and due_at <= now()
    order by due_at, id limit 1 for update skip locked)
  returning ${MAIL_COLUMNS}`;

const SENT = `
  update accounting_mails set status = 'sent', sent_at = now(), error = null where id = $1`;

const NOT_SENT = `
  update accounting_mails set status = $2, error = $3,
    due_at = now() + make_interval(secs => least($5, $4 * power(2, attempts - 1)))
  where id = $1`;

const TROUBLES = `
  select to_char(month, 'YYYY-MM') as month, status, error from accounting_mails
  where error is not null and status <> 'sent' and created_at > now() - make_interval(days => $1)
  order by month desc limit 1`;

async function insertDue(db: Database): Promise<void> {
  const { rows } = await db.query<{ month: string; addresses: string[] }>(DUE_MONTHS, [
    DELAY_HOURS,
  ]);
  for (const { month, addresses } of rows) await db.query(INSERT, [month, addresses]);
}

/** The server has named a status: then it has not taken the mail. */
function wasRefused(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'responseCode' in error;
}

async function noteFailure(
  { pool, logger }: AdminContext,
  row: AccountingMailRow,
  { error, mail }: { readonly error: unknown; readonly mail: MonthMail | undefined },
): Promise<void> {
  const reason = redactSecrets(causeOf(error)).slice(0, ERROR_CHARACTERS_MAX);
  const mayHaveArrived = mail?.hasBegun() === true && !wasRefused(error);
  const again = row.attempts < ATTEMPTS_MAX ? 'waiting' : 'failed';
  const status = mayHaveArrived ? 'unknown' : again;
  await pool.query(NOT_SENT, [row.id, status, reason, RETRY_SECONDS, RETRY_SECONDS_MAX]);
  const { month, attempts } = row;
  logger.warn({ month, attempts, status, reason }, 'the files of a month were not mailed');
}

async function send(context: AdminContext, row: AccountingMailRow): Promise<void> {
  let mail: MonthMail | undefined;
  try {
    const period = await readPeriod(context.pool, row.month);
    if ('refused' in period) throw new Error(period.message);
    mail = await writeMonthMail(context, period);
    const { subject, text, attachments } = mail;
    await context.mailer.deliver({ to: row.address, subject, text, link: null, attachments });
  } catch (error) {
    await noteFailure(context, row, { error, mail });
    return;
  }
  await context.pool.query(SENT, [row.id]);
}

/**
 * Mails the files of each month that has ended. `sending` is committed before the mail leaves, so
 * that one which may have arrived is never sent again by itself. Rejects while a month of late did
 * not arrive, which the page of the system then shows.
 */
export async function mailAccounting(context: AdminContext): Promise<void> {
  const { pool, mailer } = context;
  await pool.query(GIVE_UP_LOST, [SENDING_MINUTES_MAX]);
  if (mailer.configured) {
    await insertDue(pool);
    for (;;) {
      const [row] = (await pool.query<AccountingMailRow>(CLAIM)).rows;
      if (row === undefined) break;
      await send(context, row);
    }
  }
  const { rows } = await pool.query<{ month: string; status: string; error: string }>(TROUBLES, [
    SHOWN_DAYS,
  ]);
  const [trouble] = rows;
  if (trouble === undefined) return;
  const { month, status, error } = trouble;
  throw new Error(`The files of ${month} were not mailed to everyone (${status}): ${error}`);
}
