import type pg from 'pg';

/**
 * Acts on a connection of its own while it holds an advisory lock of the database: one process at a time. The lock is not the
 * transaction's but the connection's, so it outlasts every commit of `act`. Rejects with what `act` rejects with.
 */
export async function underLock<Result>(
  pool: pg.Pool,
  lock: number,
  act: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return await onOneConnection(pool, async (client) => {
    await client.query('select pg_advisory_lock($1)', [lock]);
    const result = await act(client);
    await client.query('select pg_advisory_unlock($1)', [lock]);
    return result;
  });
}

/** Like `underLock`, but does nothing and answers false when somebody holds the lock. */
export async function underLockIfFree(
  pool: pg.Pool,
  lock: number,
  act: () => Promise<void>,
): Promise<boolean> {
  return await onOneConnection(pool, async (client) => {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1) as locked',
      [lock],
    );
    if (rows[0]?.locked !== true) return false;
    await act();
    // Rejects when the connection broke meanwhile: then the lock was lost, and another process may have been at it too.
    await client.query('select pg_advisory_unlock($1)', [lock]);
    return true;
  });
}

/** Closes the connection when `act` fails, which gives its locks back. Kept, they would hold up everyone for ever. */
async function onOneConnection<Result>(
  pool: pg.Pool,
  act: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failed = true;
  try {
    const result = await act(client);
    failed = false;
    return result;
  } finally {
    client.release(failed);
  }
}
