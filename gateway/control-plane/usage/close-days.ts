import type { AdminContext } from '../api/context.ts';

/**
 * Requests that began on a day are settled for a while after its end; closing it at once would only
 * have it opened again.
 */
const REST_HOURS = 1;

const OPEN = `
  select day::text as day from usage_open_days
  where day < ((now() at time zone 'UTC') - make_interval(hours => $1))::date order by day`;

const CLOSE = 'select close_usage_day($1)';

/**
 * Sums up the days that are over, each in a transaction of its own: batches of usage wait for one
 * at most.
 */
export async function closeUsageDays({ pool }: Pick<AdminContext, 'pool'>): Promise<void> {
  const { rows } = await pool.query<{ day: string }>(OPEN, [REST_HOURS]);
  for (const { day } of rows) await pool.query(CLOSE, [day]);
}
