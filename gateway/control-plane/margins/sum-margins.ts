import type { AdminContext } from '../api/context.ts';

/** Adds the margins of new bills to those of their days; see functions/margins.sql. */
export async function sumMargins({ pool }: Pick<AdminContext, 'pool'>): Promise<void> {
  await pool.query('select sum_margins()');
}
