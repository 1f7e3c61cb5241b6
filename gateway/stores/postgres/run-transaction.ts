import type pg from 'pg';
import { repeatCollided } from './repeat-collided.ts';

/**
 * Runs `work` in a transaction, and again when the transaction collided with another one, so `work`
 * does nothing outside of it. An error rolls it back.
 * @param commits false for results that roll it back as well
 */
export function runTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  commits: (result: Result) => boolean = () => true,
): Promise<Result> {
  return repeatCollided(() => tryTransaction(pool, work, commits));
}

async function tryTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  commits: (result: Result) => boolean,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query(commits(result) ? 'commit' : 'rollback');
    return result;
  } catch (error) {
    // A connection whose rollback fails is in an unknown state and must not return to the pool.
    await client.query('rollback').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
