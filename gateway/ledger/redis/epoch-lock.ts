import type pg from 'pg';

/** Any number; all processes that restore epochs in the same database must agree on it. */
const EPOCH_LOCK = 7_318_349_394_477_100;

/** Does what reads or writes epochs in both stores: one gateway at a time, so that nobody sees them half written. */
export async function underEpochLock(
  pool: pg.Pool,
  act: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  // A connection that breaks between two statements says so by an event, which nobody else listens to now.
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    // Held beyond the commit: Redis must never be ahead of Postgres.
    await client.query('select pg_advisory_lock($1)', [EPOCH_LOCK]);
    await act(client);
    await client.query('select pg_advisory_unlock($1)', [EPOCH_LOCK]);
  } catch (error) {
    // Closing the connection gives the lock back as well.
    broken ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
