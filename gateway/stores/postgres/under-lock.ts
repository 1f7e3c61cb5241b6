import type pg from 'pg';

/**
 * Runs `act` on its own connection under an advisory lock of the database: one process at a time.
 * The lock belongs to the connection, not to a transaction, so it outlasts every commit in `act`.
 * Rejects with the error of `act`.
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

/** Like `underLock`, but does nothing and returns false when the lock is taken. */
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
    // Rejects when the connection broke meanwhile: then the lock was lost, and another process may
    // have run too.
    await client.query('select pg_advisory_unlock($1)', [lock]);
    return true;
  });
}

/**
 * Closes the connection when `act` fails, which releases its locks. Otherwise they would block all
 * processes for ever.
 */
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
