import type { BulkChangeLine } from '@weir/shared/api/bulk-changes';
import type { Database } from '../api/transaction.ts';

const INSERT_CHANGE = `
  insert into bulk_changes (id, kind, user_id, undoes, summary) values ($1, $2, $3, $4, $5)`;

const INSERT_LINES = `
  insert into bulk_change_lines (bulk_change_id, position, subject_id, name, before, after)
  select $1, position, id, name, nullif(before, 'null'), nullif(after, 'null')
  from rows from (jsonb_to_recordset($2::jsonb) as (id uuid, name text, before jsonb, after jsonb))
    with ordinality as l(id, name, before, after, position)`;

const FIND_CHANGE = 'select kind, undoes, summary from bulk_changes where id = $1';

/** Lines from a position on. */
const FIND_LINES = `
  select subject_id as id, name, before, after, position from bulk_change_lines
  where bulk_change_id = $1 and position > $2 order by position limit $3`;

/** Numbers of a report, which are kept when the names in it may have to be erased. */
export interface BulkSummary {
  readonly matched: number;
  readonly changed: number;
  readonly notChangedCount: number;
}

export interface StoredChange {
  readonly kind: string;
  readonly undoes: string | null;
  readonly summary: BulkSummary;
}

export interface StoredLine extends BulkChangeLine {
  readonly position: number;
}

interface NewChange extends StoredChange {
  readonly id: string;
  readonly userId: string;
  readonly lines: readonly BulkChangeLine[];
}

/** Stores a bulk change with its lines, in the transaction that makes it. */
export async function insertBulkChange(db: Database, change: NewChange): Promise<void> {
  const { id, kind, userId, undoes, summary, lines } = change;
  await db.query(INSERT_CHANGE, [id, kind, userId, undoes, JSON.stringify(summary)]);
  await db.query(INSERT_LINES, [id, JSON.stringify(lines)]);
}

export async function findBulkChange(db: Database, id: string): Promise<StoredChange | undefined> {
  return (await db.query<StoredChange>(FIND_CHANGE, [id])).rows[0];
}

/** Reads lines in their order, at most `limit` of them after a position. */
export async function findLines(
  db: Database,
  id: string,
  page: { readonly after: number; readonly limit: number },
): Promise<StoredLine[]> {
  return (await db.query<StoredLine>(FIND_LINES, [id, page.after, page.limit])).rows;
}
