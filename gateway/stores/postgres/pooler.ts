import type pg from 'pg';

/** Connections that a pooler such as PgBouncer stands behind. */
const pooled = new WeakSet<object>();

/**
 * Returns whether a pooler is between this connection and PostgreSQL. It may give each transaction
 * another server connection, so session state is lost: advisory locks and `SET`.
 */
export function isPooled(client: object): boolean {
  return pooled.has(client);
}

/** Sets it only on a direct connection: through a pooler the next client would get it. */
const RECOGNISE = `
  select pg_backend_pid() as "processId",
    case when pg_backend_pid() = $1::bigint then set_config('statement_timeout', $2, false) end`;

/**
 * Finds out whether a new connection is direct, and sets its statement time-out if it is. A pooler
 * invents the process id of its greeting; PostgreSQL sends its own.
 */
export async function recogniseConnection(
  client: pg.ClientBase,
  statementTimeoutMs: number,
): Promise<void> {
  const greeted = 'processID' in client ? Number(client.processID) : 0;
  const { rows } = await client.query<{ processId: number }>(RECOGNISE, [
    greeted,
    String(statementTimeoutMs),
  ]);
  if (rows[0]?.processId !== greeted) pooled.add(client);
}

/** Returns whether new connections of a pool go through a pooler. */
export async function leadsToPooler(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  client.release();
  return isPooled(client);
}
