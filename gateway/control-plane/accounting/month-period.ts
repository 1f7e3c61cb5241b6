import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import { readSettings } from '../settings/read-settings.ts';
import { firstMonthKept } from '../usage/retention.ts';
import { readAccountingSettings } from './settings-row.ts';

/** A month in the time zone of accounting. */
export interface MonthPeriod {
  /** `2026-01` */
  readonly month: string;
  readonly timeZone: string;
  /** The first moment of the month, and that of the next one. */
  readonly from: Date;
  readonly to: Date;
}

const PERIOD = `
  select to_char(start, 'YYYY-MM') as month, $2::text as "timeZone", start at time zone $2 as "from",
    (start + interval '1 month') at time zone $2 as "to"
  from (select coalesce(to_date($1, 'YYYY-MM')::timestamp, date_trunc('month', now() at time zone $2)) as start) month`;

const DAY_MS = 86_400_000;

/** The sums of days are by UTC: a month that begins within such a day needs the day's records. */
function beginsWithinDay({ from }: MonthPeriod): boolean {
  return from.getTime() % DAY_MS !== 0;
}

async function findPeriod(db: Database, month?: string): Promise<MonthPeriod> {
  const { timeZone } = await readAccountingSettings(db);
  return onlyRow((await db.query<MonthPeriod>(PERIOD, [month ?? null, timeZone])).rows);
}

/**
 * Reads the bounds of a month; this month when none is named.
 * Refuses a month that has not begun, and one whose edges can no longer be told apart.
 */
export async function readPeriod(db: Database, month?: string): Promise<MonthPeriod | Refusal> {
  const period = await findPeriod(db, month);
  const nowMs = databaseNowMs();
  const { timeZone, from } = period;
  const param = 'month';
  if (from.getTime() > nowMs) {
    return refuse('not_found', `${period.month} has not begun in ${timeZone}.`, { param });
  }
  const { usageRetentionMonths } = await readSettings(db);
  const kept = firstMonthKept(new Date(nowMs), usageRetentionMonths);
  if (!beginsWithinDay(period) || from >= kept) return period;
  return refuse(
    'state_conflict',
    `The usage records of the first hours of ${period.month} in ${timeZone} were deleted after ${String(usageRetentionMonths)} months. Keep usage records longer, or choose the time zone UTC, whose months need none.`,
    { param },
  );
}
