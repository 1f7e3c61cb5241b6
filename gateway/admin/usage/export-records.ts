import { Readable } from 'node:stream';
import { decimalFromNanoUsd } from '@weir/shared/money';
import { multiplierFromPpm } from '../api/amount.ts';
import { csvLine } from '../api/csv.ts';
import type { Database } from '../api/transaction.ts';
import { findRecords, type RecordFilter, type RecordPosition } from './find-records.ts';
import type { RecordRow } from './record-row.ts';

/** Rows read at a time: what one export keeps in memory, however long it is. */
const BATCH_ROWS = 1_000;
/** Batches made ahead of a slow reader. */
const BATCHES_AHEAD = 2;

const COLUMNS: readonly (readonly [name: string, cell: (row: RecordRow) => string])[] = [
  ['request_id', (row) => row.requestId],
  ['created_at', (row) => row.createdAt.toISOString()],
  ['account_id', (row) => row.accountId],
  ['key_id', (row) => row.keyId],
  ['key_name', (row) => row.keyName ?? ''],
  ['group', (row) => row.groupName ?? row.groupId],
  ['model', (row) => row.model],
  ['status', (row) => row.status],
  ['http_status', (row) => String(row.httpStatus)],
  ['stream', (row) => String(row.stream)],
  ['input_tokens', (row) => String(row.inputTokens)],
  ['cached_input_tokens', (row) => String(row.cachedInputTokens)],
  ['cache_write_tokens', (row) => String(row.cacheWriteTokens)],
  ['output_tokens', (row) => String(row.outputTokens)],
  ['reasoning_tokens', (row) => String(row.reasoningTokens)],
  ['input_usd_per_million', (row) => decimalFromNanoUsd(row.inputNanoUsd)],
  ['cached_input_usd_per_million', (row) => decimalFromNanoUsd(row.cachedInputNanoUsd)],
  ['cache_write_usd_per_million', (row) => decimalFromNanoUsd(row.cacheWriteNanoUsd)],
  ['output_usd_per_million', (row) => decimalFromNanoUsd(row.outputNanoUsd)],
  ['usd_per_call', (row) => decimalFromNanoUsd(row.perCallNanoUsd)],
  ['multiplier', (row) => multiplierFromPpm(row.multiplierPpm)],
  ['cost_usd', (row) => decimalFromNanoUsd(row.costNanoUsd)],
  ['from_balance_usd', (row) => decimalFromNanoUsd(row.balanceNanoUsd)],
  ['from_subscription_usd', (row) => decimalFromNanoUsd(row.subscriptionNanoUsd)],
  ['uncollected_usd', (row) => decimalFromNanoUsd(row.uncollectedNanoUsd)],
  ['estimated', (row) => String(row.estimated)],
  ['capped', (row) => String(row.capped)],
  ['attempts', (row) => String(row.attempts)],
  ['latency_ms', (row) => String(row.latencyMs)],
  ['first_byte_ms', (row) => (row.firstByteMs === null ? '' : String(row.firstByteMs))],
];

function linesOf(rows: readonly RecordRow[]): string {
  return rows.map((row) => csvLine(COLUMNS.map(([, cell]) => cell(row)))).join('');
}

async function* batches(db: Database, filter: RecordFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  let after: RecordPosition | null = null;
  for (;;) {
    const rows: RecordRow[] = await findRecords(db, filter, { after, limit: BATCH_ROWS });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield linesOf(rows);
    if (rows.length < BATCH_ROWS) return;
    after = { atUs: last.atUs, requestId: last.requestId };
  }
}

/**
 * All records of a filter as CSV, newest first. Read page by page as the reader takes them: no cursor stays
 * open in the database, and a reader who leaves stops it. A failure midway breaks the connection off, so that
 * a part is never taken for the whole.
 */
export function exportRecords(db: Database, filter: RecordFilter): Readable {
  return Readable.from(batches(db, filter), { objectMode: true, highWaterMark: BATCHES_AHEAD });
}
