import type pg from 'pg';
import { queryWithin } from '../stores/postgres/connect.ts';
import { usageEntriesJson, type UsageEntry } from '../ledger/redis/commands/usage-entry.ts';

/** The newest entry of a partition's stream that is in the book once these records are. */
export interface StreamPosition {
  readonly partition: number;
  readonly epoch: number;
  readonly id: string;
}

export interface InsertedUsage {
  /** Records that were not in the book before. */
  readonly added: number;
  /** Records that the book refused as malformed and that are in usage_rejected now. */
  readonly rejected: number;
}

/** Many times what a transaction takes. What is given up may be in the book all the same, and is not entered again. */
const TIMEOUT_MS = 15_000;

/** SQLSTATE classes that the same record would meet again for ever: data exception, integrity violation. */
const PERMANENT = /^2[23]/;

type Database = Pick<pg.Pool, 'query'>;

/**
 * Enters records into the book, all of them in one transaction, and how far their streams have been entered with them. Answers how many
 * were not in it before.
 *
 * Rejects when Postgres cannot be asked, and when the book refuses one of the records (see `isRefused`): nothing of them is in the book then.
 *
 * @param json the argument of `apply_usage` (migration 0002), in bytes: as a string, which V8 would keep in its old generation, it costs more
 */
export async function insertBatch(
  pool: Database,
  json: Buffer,
  positions: readonly StreamPosition[],
): Promise<number> {
  const { rows } = await pool.query<{ added: number }>(
    queryWithin(
      TIMEOUT_MS,
      "select note_entered($2::jsonb), apply_usage(convert_from($1::bytea, 'UTF8')::jsonb) as added",
      [json, JSON.stringify(positions)],
    ),
  );
  return rows[0]?.added ?? 0;
}

/** Whether the book has refused records for what they are: entered again together, they would be refused for ever. */
export function isRefused(error: unknown): boolean {
  return permanentFailure(error) !== undefined;
}

/**
 * The same for records that the book may refuse one of. Such a record must not hold up those behind it: the batch is then halved until
 * the record stands alone, and it is put aside in usage_rejected.
 *
 * Rejects when Postgres cannot be asked; nothing or a part of the records is then in the book, and all may be
 * entered again.
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
  // A charge that cannot even be read never reached Postgres.
  if (error.message.startsWith('not a charge')) return error.message;
  if (!('code' in error) || typeof error.code !== 'string') return undefined;
  return PERMANENT.test(error.code) ? `${error.code}: ${error.message}` : undefined;
}

async function quarantine(pool: Database, record: UsageEntry, reason: string): Promise<void> {
  const entry = JSON.stringify(record);
  await pool.query('insert into usage_rejected (entry, reason) values ($1, $2)', [entry, reason]);
}
