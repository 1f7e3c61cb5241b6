import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import type { AdminContext } from '../api/context.ts';
import { isLockTaken } from '../api/transaction.ts';
import { readSettings } from '../settings/read-settings.ts';

const DAY_MS = 86_400_000;
/** Sums by hour are for charts of days, sums by day for charts of months. */
const SUM_HOURS_DAYS = 35;
const SUM_DAYS_DAYS = 800;

/** Partitions are named requests_2026_01_31; see ensure_request_partitions. */
const PARTITIONS = `
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent in ('requests'::regclass, 'request_attempts'::regclass)
    and c.relname ~ '_[0-9]{4}_[0-9]{2}_[0-9]{2}$'
  order by c.relname`;

const DELETES = [
  ['delete from requests_default where created_at < $1', null],
  ['delete from request_attempts_default where created_at < $1', null],
  [`delete from request_sums where grain = 'hour' and starts_at < $1`, SUM_HOURS_DAYS],
  [`delete from request_sums where grain = 'day' and starts_at < $1`, SUM_DAYS_DAYS],
  [`delete from request_account_sums where grain = 'hour' and starts_at < $1`, SUM_HOURS_DAYS],
  [`delete from request_account_sums where grain = 'day' and starts_at < $1`, SUM_DAYS_DAYS],
  [`delete from request_key_sums where grain = 'hour' and starts_at < $1`, SUM_HOURS_DAYS],
  [`delete from request_key_sums where grain = 'day' and starts_at < $1`, SUM_DAYS_DAYS],
] as const;

/** The first day that is kept, as it ends the name of a partition: today and the days before it. */
function firstDayKept(nowMs: number, days: number): Date {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return new Date(today - (days - 1) * DAY_MS);
}

/**
 * Drops the days of the request log that are over the retention, which costs nothing and leaves
 * nothing to clean up. One that is being read stays until the next round.
 */
export async function dropOldRequests(
  context: Pick<AdminContext, 'pool'> & { readonly logger: Pick<AdminContext['logger'], 'warn'> },
  nowMs = databaseNowMs(),
): Promise<void> {
  const { pool, logger } = context;
  const { requestLogDays } = await readSettings(pool);
  const kept = firstDayKept(nowMs, requestLogDays);
  const oldest = kept.toISOString().slice(0, 'YYYY-MM-DD'.length).replaceAll('-', '_');
  const { rows } = await pool.query<{ name: string }>(PARTITIONS);
  for (const { name } of rows) {
    if (name.slice(-oldest.length) >= oldest) continue;
    try {
      await pool.query('select drop_request_partition($1)', [name]);
    } catch (error) {
      if (!isLockTaken(error)) throw error;
      logger.warn(
        { partition: name },
        'requests are being read; they are dropped in the next round',
      );
    }
  }
  for (const [statement, days] of DELETES) {
    await pool.query(statement, [days === null ? kept : firstDayKept(nowMs, days)]);
  }
}
