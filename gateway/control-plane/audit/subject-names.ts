import type { Database } from '../api/transaction.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** In an entry with very many models, ids beyond this number are not resolved. */
const IDS_MAX = 2_000;

const NAMES = `
  select id, name from accounts where id = any ($1)
  union all select id, email from users where id = any ($1)
  union all select id, name from groups where id = any ($1)
  union all select id, public_id from models where id = any ($1)
  union all select id, name from channels where id = any ($1)
  union all select id, name from plans where id = any ($1)
  union all select id, name from keys where id = any ($1)
  union all select id, name from redemption_batches where id = any ($1)`;

interface Entry {
  readonly subjectId: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Finds the ids in an entry; the entry does not say what kind of object each names. */
export function idsIn({ subjectId, before, after }: Entry): string[] {
  return JSON.stringify([subjectId, before, after]).match(UUID) ?? [];
}

/** Looks up what the ids of a page of entries are called now. What is gone has no name. */
export async function namesOf(
  db: Database,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(entries.flatMap(idsIn))].slice(0, IDS_MAX);
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; name: string }>(NAMES, [ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
