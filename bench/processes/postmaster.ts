import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** The process of a PostgreSQL server on this machine: it is the parent of each connection's. */
export async function postmasterPid(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const status = readFileSync(`/proc/${rows[0]?.pid ?? 0}/status`, 'utf8');
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
}
