import type { Database } from '../api/transaction.ts';

/** Stands where a person's words were. */
const ERASED = '(erased)';

/**
 * The trigger that keeps entries as they are lets `before` and `after` change while this is on, in
 * this transaction.
 */
const BEGIN = `select set_config('weir.erasing', 'on', true)`;
const END = `select set_config('weir.erasing', 'off', true)`;

const FIND = `
  select id, before, after from audit_entries
  where subject_id = any ($1) or exists (
    select from unnest($2::text[]) as e(word)
    where position(e.word in coalesce(before::text, '')) > 0 or position(e.word in coalesce(after::text, '')) > 0)
  order by id`;

const CHANGE = 'update audit_entries set before = $2, after = $3 where id = $1';

export interface Personal {
  /** What entries are about, by id. */
  readonly subjectIds: readonly string[];
  /** Texts that are personal in those entries. */
  readonly words: readonly string[];
  /** Texts that are personal in every entry: no two things share them. */
  readonly everywhere: readonly string[];
}

interface EntryRow {
  readonly id: number;
  readonly before: unknown;
  readonly after: unknown;
}

function redacted(value: unknown, words: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return words.has(value) ? ERASED : value;
  if (Array.isArray(value)) return value.map((entry) => redacted(entry, words));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, redacted(entry, words)]),
  );
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/**
 * Takes what is personal out of what the audit log quotes. Who did what, when and to which id
 * stays.
 */
export async function redactAudit(
  db: Database,
  { subjectIds, words, everywhere }: Personal,
): Promise<void> {
  const { rows } = await db.query<EntryRow>(FIND, [subjectIds, everywhere]);
  const personal = new Set(words);
  await db.query(BEGIN);
  for (const { id, before, after } of rows) {
    const values = [redacted(before, personal), redacted(after, personal)].map(jsonOf);
    await db.query(CHANGE, [id, ...values]);
  }
  await db.query(END);
}
