import type pg from 'pg';
import type { RetainedSettle } from './retention.ts';
import { usageEntriesJson } from '../commands/usage-entry.ts';

/** Bounds one statement; a few hundred kilobytes of records. */
const RECORDS_PER_STATEMENT_MAX = 500;

/**
 * Enters settles of a store that is gone into the book: each record that is not there yet is charged
 * there and, through a credit of kind recovered_usage, in the ledger. Answers how many were not there.
 * Rejects when Postgres cannot be asked; may be repeated.
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
      'select recover_usage($1::jsonb) as recovered',
      [usageEntriesJson(entries)],
    );
    recovered += rows[0]?.recovered ?? 0;
  }
  return recovered;
}
