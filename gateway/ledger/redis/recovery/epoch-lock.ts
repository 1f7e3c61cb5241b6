import type pg from 'pg';
import { underLock } from '../../../stores/postgres/under-lock.ts';

/** Any number; all processes that restore epochs in the same database must agree on it. */
const EPOCH_LOCK = 7_318_349_394_477_100;

/**
 * Does what reads or writes epochs in both stores: one gateway at a time, so that nobody sees them half written. Held beyond the
 * commit: Redis must never be ahead of Postgres.
 */
export async function underEpochLock<Result>(
  pool: pg.Pool,
  act: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return await underLock(pool, EPOCH_LOCK, act);
}
