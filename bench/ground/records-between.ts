import type pg from 'pg';

/** Records have the ledger's time, as a gateway has measured it: it differs by the way there. */
export const CLOCK_MARGIN_MS = 50;

/**
 * Requests in the book that were admitted at or after one moment and no later than another; found
 * by the index over times.
 */
export async function recordsBetween(pool: pg.Pool, fromMs: number, toMs: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from usage_records
     where created_at >= from_ms($1::bigint) and created_at <= from_ms($2::bigint)`,
    [fromMs - CLOCK_MARGIN_MS, toMs + CLOCK_MARGIN_MS],
  );
  return rows[0]?.count ?? 0;
}
