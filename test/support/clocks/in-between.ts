import type pg from 'pg';
import { expect } from 'vitest';

const WAITERS = 'select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';

/**
 * Asks while a transaction holds what the answer needs, and commits it once the question waits for
 * that, and `meanwhile` is done.
 */
export async function askInBetween<Answer>(
  pool: pg.Pool,
  change: (client: pg.PoolClient) => Promise<unknown>,
  ask: () => Promise<Answer>,
  meanwhile?: () => Promise<unknown>,
): Promise<Answer> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await change(client);
    const answer = ask();
    await expect.poll(async () => (await pool.query(WAITERS, [rows[0]?.pid])).rowCount).toBe(1);
    await meanwhile?.();
    await client.query('commit');
    return await answer;
  } finally {
    client.release();
  }
}
