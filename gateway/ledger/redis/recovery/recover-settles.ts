import type pg from 'pg';
import type { RetainedSettle } from './retention.ts';
import { usageEntriesJson } from '../commands/usage-entry.ts';

/** Bounds one statement to a few hundred kilobytes. */
const RECORDS_PER_STATEMENT_MAX = 500;

/**
 * Inserts settles of a lost store into Postgres. Each record that is missing there is charged and,
 * by a credit of kind recovered_usage, charged in the ledger. Returns how many were missing.
 * Rejects when Postgres is unreachable; may be repeated.
 */
export async function recoverSettles(
  pool: pg.Pool,
  settles: readonly RetainedSettle[],
): Promise<number> {
  let recovered = 0;
  for (let from = 0; from < settles.length; from += RECORDS_PER_STATEMENT_MAX) {
    const entries = settles.slice(from, from + RECORDS_PER_STATEMENT_MAX).map((settle) => ({
      partition: settle.partition,
      epoch: settle.epoch,
      recordJson: settle.request.recordJson,
      charge: `${settle.settledAtMs},${settle.balanceNanoUsd},${settle.uncollectedNanoUsd}${settle.subscriptions}`,
    }));
    const { rows } = await pool.query<{ recovered: number }>(
      'select enter_usage($1::json, true) as recovered',
      [usageEntriesJson(entries)],
    );
    recovered += rows[0]?.recovered ?? 0;
  }
  return recovered;
}
