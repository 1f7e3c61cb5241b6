import pg from 'pg';
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import { runTransaction } from '../../stores/postgres/run-transaction.ts';

/** The target of a query: the pool, or the connection of a transaction. */
export type Database = Pick<pg.Pool, 'query'> | pg.PoolClient;

/**
 * Runs `work` in a transaction. A refusal or an error rolls it back; anything else commits. `work`
 * runs again when the transaction collided with another one, so it does nothing outside of it.
 */
export function inTransaction<Result extends object | undefined>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return runTransaction(pool, work, (result) => result === undefined || !isRefusal(result));
}

/** The one row that a statement must have answered. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('a statement answered no row');
  return row;
}

type LockedTable = 'accounts' | 'channels' | 'groups' | 'models' | 'orders' | 'plans' | 'users';

/**
 * Locks a row in a statement of its own, before it is read. A statement that locks and reads waits
 * for the row and then sees its newest version, but what other rows say of it, lists and sums, as
 * it was before the wait: a change of them would go unnoticed.
 */
export async function lockRow(db: Database, table: LockedTable, id: string): Promise<void> {
  await db.query(`select 1 from ${table} where id = $1 for update`, [id]);
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

function hasCode(error: unknown, code: string): boolean {
  return error instanceof pg.DatabaseError && error.code === code;
}

/** True when a statement failed because there is such a row already. */
export function isDuplicate(error: unknown): boolean {
  return hasCode(error, UNIQUE_VIOLATION);
}

/** True when a row that is pointed at is missing, or one that is to go is still pointed at. */
export function isReferenceBroken(error: unknown): boolean {
  return hasCode(error, FOREIGN_KEY_VIOLATION);
}

/** True when a statement was given up because it would have waited too long for somebody's lock. */
export function isLockTaken(error: unknown): boolean {
  return hasCode(error, LOCK_NOT_AVAILABLE);
}

/** True when a statement ran longer than its timeout. */
export function isTimedOut(error: unknown): boolean {
  return hasCode(error, QUERY_CANCELED);
}
