import type { BudgetList } from '@weir/shared/money/budgets';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction, onlyRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';

export type PeriodsView = Omit<BudgetList, 'data'>;

interface PeriodsRow {
  readonly timeZone: string;
  readonly nextZone: string | null;
  readonly nextFrom: Date | null;
  readonly dayResetsAt: Date;
  readonly monthResetsAt: Date;
}

const PERIODS = `
  select coalesce((select zone from account_time_zones where account_id = $1 and since <= now() and now() < until), 'UTC') as "timeZone",
    next.zone as "nextZone", next.since as "nextFrom",
    from_ms(local_moment(calendar, to_ms(period_end('day', local)))) as "dayResetsAt",
    from_ms(local_moment(calendar, to_ms(period_end('month', local)))) as "monthResetsAt"
  from (select account_calendar($1, now()) as calendar, account_local($1, now()) as local) present
  left join account_time_zones next on next.account_id = $1 and next.since > now()`;

/** The zone of the account's budgets, and when its present periods end. */
export async function readPeriods(db: Database, accountId: string): Promise<PeriodsView> {
  const row = onlyRow((await db.query<PeriodsRow>(PERIODS, [accountId])).rows);
  const { timeZone, nextZone, nextFrom } = row;
  return {
    timeZone,
    nextTimeZone:
      nextZone === null || nextFrom === null
        ? null
        : { timeZone: nextZone, from: nextFrom.toISOString() },
    dayResetsAt: row.dayResetsAt.toISOString(),
    monthResetsAt: row.monthResetsAt.toISOString(),
  };
}

const IS_KNOWN = `select from pg_timezone_names where name = $1 and name !~ '^(posix|right)/'`;

const FORGET_NEXT = [
  'delete from account_time_zones where account_id = $1 and since > now()',
  `update account_time_zones set until = 'infinity' where account_id = $1 and until > now()`,
];

/**
 * A minute ahead, so that every gateway knows the zone before it is in force and nothing is counted
 * by two. Westwards it waits for the next midnight there, if the date would go back otherwise: a
 * day that has ended must not start again.
 */
const MOVE = `
  with moment as (
    select at, (at at time zone $2)::date < (account_local($1, at) at time zone 'UTC')::date as goes_back
    from (select date_trunc('minute', now()) + interval '2 minutes' as at) soon
  ), change as (
    select case when goes_back then ((at at time zone $2)::date + 1)::timestamp at time zone $2 else at end as at from moment
  ), ended as (
    update account_time_zones set until = change.at from change where account_id = $1 and until = 'infinity'
  )
  insert into account_time_zones (account_id, zone, since) select $1, $2, at from change`;

/** Moves the periods of the account's budgets to another time zone. */
export async function moveToZone(
  call: Call<'updateTimeZone'>,
  view: (db: Database) => Promise<BudgetList>,
): Promise<Awaited<Answer<'updateTimeZone'>>> {
  const { context, caller, body } = call;
  const { accountId } = caller;
  const { timeZone } = body;
  return inTransaction(context.pool, async (db) => {
    if ((await db.query(IS_KNOWN, [timeZone])).rowCount === 0) return unknownZone(timeZone);
    await db.query('select from accounts where id = $1 for no key update', [accountId]);
    const before = await readPeriods(db, accountId);
    for (const text of FORGET_NEXT) await db.query(text, [accountId]);
    if (before.timeZone !== timeZone) await db.query(MOVE, [accountId, timeZone]);
    const after = await view(db);
    const receipt = await audit(db, call, {
      kind: 'account',
      id: accountId,
      before: { timeZone: before.timeZone, nextTimeZone: before.nextTimeZone },
      after: { timeZone: after.timeZone, nextTimeZone: after.nextTimeZone },
    });
    return { view: after, audit: receipt };
  });
}

function unknownZone(timeZone: string): Refusal {
  return refuse(
    'invalid_value',
    `"${timeZone}" is no time zone. Use a name such as Europe/Berlin or UTC.`,
    { param: 'timeZone' },
  );
}
