import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { type CheckRow, type Difference, differences } from './difference.ts';

const read = (name: string): string =>
  readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8');

const RECORDS = read('records');
const LEDGER = read('ledger-in-postgres');

/**
 * Recomputes the records in Postgres: balances from credits and usage, the journal, sums per day
 * and key. `accountId` limits it to one account.
 */
export async function reconcileRecords(pool: pg.Pool, accountId?: string): Promise<Difference[]> {
  const { rows } = await pool.query<CheckRow>(RECORDS, [accountId ?? null]);
  return differences(rows);
}

/**
 * Compares the ledger in PostgreSQL with the records. Nothing to compare when Redis is the ledger.
 */
export async function reconcilePostgresLedger(
  pool: pg.Pool,
  accountId?: string,
): Promise<Difference[]> {
  const { rows } = await pool.query<CheckRow>(LEDGER, [accountId ?? null]);
  return differences(rows);
}
