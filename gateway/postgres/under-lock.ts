import type pg from 'pg';

/**
 * Acts on a connection of its own while it holds an advisory lock of the database: one process at a time. The lock is not the
 * transaction's but the connection's, so it outlasts every commit of `act`. Rejects with what `act` rejects with.
 */
export async function underLock(
  pool: pg.Pool,
  lock: number,
  act: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  // A connection that breaks between two statements says so by an event besides; nobody else listens to it, and the process would end.
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await client.query('select pg_advisory_lock($1)', [lock]);
    await act(client);
    await client.query('select pg_advisory_unlock($1)', [lock]);
  } catch (error) {
    // Closing the connection gives the lock back as well. Kept, it would hold up the end of the pool for ever.
    broken ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
