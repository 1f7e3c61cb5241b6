import type { AdminContext } from '../api/context.ts';
import { readSettings } from '../settings/read-settings.ts';

/** Partitions are named usage_records_2026_01; see ensure_usage_partitions. */
const PARTITIONS = `
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'usage_records'::regclass and c.relname ~ '^usage_records_[0-9]{4}_[0-9]{2}$'
  order by c.relname`;

const DELETE_STRAYS = `delete from usage_records_default where created_at < $1`;

/** The first month that is kept: this one and the months before it, as many as the setting says. */
export function firstMonthKept(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (months - 1), 1));
}

/**
 * Drops the partitions of months that are over the retention. Dropping a partition costs nothing and leaves
 * nothing to clean up. Daily sums, credits and the journal stay for ever.
 */
export async function dropOldUsage(context: AdminContext): Promise<void> {
  const { pool, logger } = context;
  const { usageRetentionMonths } = await readSettings(pool);
  const kept = firstMonthKept(new Date(), usageRetentionMonths);
  const oldest = `usage_records_${kept.toISOString().slice(0, 7).replace('-', '_')}`;
  const { rows } = await pool.query<{ name: string }>(PARTITIONS);
  for (const { name } of rows.filter((partition) => partition.name < oldest)) {
    // The name has been matched against its shape above.
    await pool.query(`drop table ${name}`);
    logger.info({ partition: name }, 'usage records dropped, older than the retention');
  }
  await pool.query(DELETE_STRAYS, [kept]);
}
