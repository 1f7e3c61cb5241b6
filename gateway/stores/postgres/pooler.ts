import type pg from 'pg';

/** Connections that a pooler such as PgBouncer stands behind. */
const pooled = new WeakSet<object>();

/**
 * True when a pooler stands between this connection and PostgreSQL. It may give each transaction another server
 * connection, so nothing that belongs to a session can be relied on: no advisory lock beyond a transaction, no `SET`.
 */
export function isPooled(client: object): boolean {
  return pooled.has(client);
}

/** Only where it is this connection's own: through a pooler it would be set for whoever is next. */
const RECOGNISE = `
  select pg_backend_pid() as "processId",
    case when pg_backend_pid() = $1::bigint then set_config('statement_timeout', $2, false) end`;

/**
 * Finds out what a new connection leads to, and sets its time-out for statements where that works. A pooler makes up
 * the process id that a client is greeted with; PostgreSQL tells its own.
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

/** Whether new connections of a pool go through a pooler. */
export async function leadsToPooler(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  client.release();
  return isPooled(client);
}
