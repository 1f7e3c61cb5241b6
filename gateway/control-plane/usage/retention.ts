import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import type { AdminContext } from '../api/context.ts';
import { isLockTaken } from '../api/transaction.ts';
import { readSettings } from '../settings/read-settings.ts';

/** Partitions are named usage_records_2026_01; see ensure_usage_partitions. */
const PARTITIONS = `
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'usage_records'::regclass and c.relname ~ '^usage_records_[0-9]{4}_[0-9]{2}$'
  order by c.relname`;

const DROP = 'select drop_usage_partition($1)';

const DELETE_STRAYS = `delete from usage_records_default where created_at < $1`;

/** The first month that is kept: this one and the months before it, as many as the setting says. */
export function firstMonthKept(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (months - 1), 1));
}

/**
 * One that someone reads stays until the next round: waiting for it would hold up everyone
 * else.
 */
async function dropPartition({ pool, logger }: AdminContext, partition: string): Promise<void> {
  try {
    await pool.query(DROP, [partition]);
    logger.info({ partition }, 'usage records dropped, older than the retention');
  } catch (error) {
    if (!isLockTaken(error)) throw error;
    logger.warn({ partition }, 'usage records are being read; they are dropped in the next round');
  }
}

/**
 * Drops the partitions of months that are over the retention. Dropping a partition costs nothing
 * and leaves nothing to clean up. Daily sums, credits and the journal stay for ever.
 */
export async function dropOldUsage(context: AdminContext): Promise<void> {
  const { pool } = context;
  const { usageRetentionMonths } = await readSettings(pool);
  const kept = firstMonthKept(new Date(databaseNowMs()), usageRetentionMonths);
  const oldest = `usage_records_${kept.toISOString().slice(0, 7).replace('-', '_')}`;
  const { rows } = await pool.query<{ name: string }>(PARTITIONS);
  for (const { name } of rows) {
    if (name < oldest) await dropPartition(context, name);
  }
  await pool.query(DELETE_STRAYS, [kept]);
}
