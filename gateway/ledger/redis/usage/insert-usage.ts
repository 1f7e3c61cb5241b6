import { isDataError } from '../../../stores/postgres/is-connection-error.ts';
import type pg from 'pg';
import { queryWithin } from '../../../stores/postgres/connect.ts';
import { MalformedUsage, usageEntriesJson, type UsageEntry } from '../commands/usage-entry.ts';

/** The newest entry of a partition's stream that is in Postgres once these records are. */
export interface StreamPosition {
  readonly partition: number;
  readonly epoch: number;
  readonly id: string;
}

export interface InsertedUsage {
  /** Records that are new in Postgres. */
  readonly added: number;
  /** Malformed records, which are in usage_rejected now. */
  readonly rejected: number;
}

/**
 * Many times the duration of a transaction. A batch that is given up may be in Postgres; inserting
 * it again changes nothing.
 */
const TIMEOUT_MS = 15_000;

type Database = Pick<pg.Pool, 'query'>;

/**
 * Inserts records in one transaction, together with the stream positions that they reach. Returns
 * how many were new.
 *
 * Rejects when Postgres is unreachable or rejects one of the records (`isRefused`); then none is
 * inserted.
 *
 * @param json the argument of `enter_usage` (stores/postgres/functions/usage.sql) as bytes, because
 * V8 would keep a string in its old generation
 */
export async function insertBatch(
  pool: Database,
  json: Buffer,
  positions: readonly StreamPosition[],
): Promise<number> {
  const { rows } = await pool.query<{ added: number }>(
    queryWithin(
      TIMEOUT_MS,
      "select note_entered($2::jsonb), enter_usage(convert_from($1::bytea, 'UTF8')::json, false) as added",
      [json, JSON.stringify(positions)],
    ),
  );
  return rows[0]?.added ?? 0;
}

/** True when Postgres has rejected records for their content: the same batch would always fail. */
export function isRefused(error: unknown): boolean {
  return permanentFailure(error) !== undefined;
}

/**
 * Like `insertBatch`, for records of which Postgres may reject some. A malformed record must not
 * block those behind it: the batch is halved until the record is alone, and then it is moved to
 * usage_rejected.
 *
 * Rejects when Postgres is unreachable; then none or some of the records are inserted, and all may
 * be inserted again.
 */
export async function insertUsage(
  pool: Database,
  records: readonly UsageEntry[],
  positions: readonly StreamPosition[] = [],
): Promise<InsertedUsage> {
  if (records.length === 0) return { added: 0, rejected: 0 };
  let reason: string;
  try {
    return {
      added: await insertBatch(pool, Buffer.from(usageEntriesJson(records)), positions),
      rejected: 0,
    };
  } catch (error) {
    const hopeless = permanentFailure(error);
    if (hopeless === undefined) throw error;
    reason = hopeless;
  }
  const [only] = records;
  if (records.length === 1 && only !== undefined) {
    await quarantine(pool, only, reason);
    await pool.query('select note_entered($1::jsonb)', [JSON.stringify(positions)]);
    return { added: 0, rejected: 1 };
  }
  const half = Math.ceil(records.length / 2);
  const first = await insertUsage(pool, records.slice(0, half));
  const second = await insertUsage(pool, records.slice(half), positions);
  return { added: first.added + second.added, rejected: first.rejected + second.rejected };
}

function permanentFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // What is malformed fails before Postgres is asked.
  if (error instanceof MalformedUsage) return error.message;
  return isDataError(error) ? `${error.code}: ${error.message}` : undefined;
}

async function quarantine(pool: Database, record: UsageEntry, reason: string): Promise<void> {
  const entry = JSON.stringify(record);
  await pool.query('insert into usage_rejected (entry, reason) values ($1, $2)', [entry, reason]);
}
