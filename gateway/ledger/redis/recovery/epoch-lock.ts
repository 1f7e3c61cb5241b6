import type pg from 'pg';
import { underLock } from '../../../stores/postgres/under-lock.ts';

/**
 * An arbitrary number; all processes that restore epochs of the same database must use the same
 * one.
 */
const EPOCH_LOCK = 7_318_349_394_477_100;

/**
 * Runs what reads or writes epochs in both stores, one gateway at a time, so that no one sees a
 * half-written state. Held beyond the commit, because Redis must never be ahead of Postgres.
 */
export async function underEpochLock<Result>(
  pool: pg.Pool,
  act: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return await underLock(pool, EPOCH_LOCK, act);
}
