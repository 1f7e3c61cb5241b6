import type pg from 'pg';
import { isPooled } from './pooler.ts';

/** Calls of `underLock` of each pool, in their order. */
const queues = new WeakMap<pg.Pool, Promise<unknown>>();

/**
 * Runs `act` on its own connection under an advisory lock of the database: one process at a time.
 * The lock outlasts every commit of `act`. Rejects with the error of `act`. A call within `act`
 * would wait for ever.
 */
export async function underLock<Result>(
  pool: pg.Pool,
  lock: number,
  act: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return await oneAtATime(pool, () =>
    onOneConnection(pool, async (client) => {
      if (isPooled(client)) return await underTransactionLock(pool, client, { lock, act });
      await client.query('select pg_advisory_lock($1)', [lock]);
      const result = await act(client);
      await client.query('select pg_advisory_unlock($1)', [lock]);
      return result;
    }),
  );
}

/** Like `underLock`, but does nothing and returns false when the lock is taken. */
export async function underLockIfFree(
  pool: pg.Pool,
  lock: number,
  act: () => Promise<void>,
): Promise<boolean> {
  return await onOneConnection(pool, async (client) => {
    const byTransaction = isPooled(client);
    if (byTransaction) await beginHolding(client);
    const { rows } = await client.query<{ locked: boolean }>(
      `select ${byTransaction ? 'pg_try_advisory_xact_lock' : 'pg_try_advisory_lock'}($1) as locked`,
      [lock],
    );
    const locked = rows[0]?.locked === true;
    if (locked) await act();
    // Rejects when the connection broke meanwhile: then the lock was lost, and another process may
    // have run too.
    if (byTransaction) await client.query('commit');
    else if (locked) await client.query('select pg_advisory_unlock($1)', [lock]);
    return locked;
  });
}

/**
 * Behind a pooler only a transaction has a server connection of its own, and with it a lock. `act`
 * gets another connection, since what it writes must be committed while the lock is held.
 */
async function underTransactionLock<Result>(
  pool: pg.Pool,
  holder: pg.PoolClient,
  {
    lock,
    act,
  }: { readonly lock: number; readonly act: (client: pg.PoolClient) => Promise<Result> },
): Promise<Result> {
  await beginHolding(holder);
  await holder.query('select pg_advisory_xact_lock($1)', [lock]);
  const result = await onOneConnection(pool, act);
  await holder.query('commit');
  return result;
}

/** Begins a transaction that only holds a lock, and must not be ended because it is idle. */
async function beginHolding(client: pg.PoolClient): Promise<void> {
  await client.query('begin');
  await client.query('set local idle_in_transaction_session_timeout = 0');
}

/**
 * Behind a pooler each call needs two connections: if all calls had their first, all would wait for
 * their second.
 */
async function oneAtATime<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  const running = (queues.get(pool) ?? Promise.resolve()).then(work);
  queues.set(
    pool,
    running.catch(() => undefined),
  );
  return await running;
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
