import type pg from 'pg';
import { APPLY_SETTINGS } from './session-settings.ts';

/** Connections that go through a pooler such as PgBouncer. */
const pooled = new WeakSet<object>();

/**
 * Returns whether a pooler is between this connection and PostgreSQL. It may give each transaction
 * another server connection, so session state is lost: advisory locks and `SET`.
 */
export function isPooled(client: object): boolean {
  return pooled.has(client);
}

/**
 * Finds out whether a new connection is direct, and makes the settings of its session if it is. A
 * pooler invents the process id of its greeting; PostgreSQL sends its own.
 *
 * @param settings of `settingsJson`
 */
export async function recogniseConnection(client: pg.ClientBase, settings: string): Promise<void> {
  const greeted = 'processID' in client ? Number(client.processID) : 0;
  const { rows } = await client.query<{ processId: number }>(APPLY_SETTINGS, [greeted, settings]);
  if (rows[0]?.processId !== greeted) pooled.add(client);
}

/** Returns whether new connections of a pool go through a pooler. */
export async function leadsToPooler(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  client.release();
  return isPooled(client);
}
