import type { Database } from '../api/transaction.ts';

/** Replaces a person's words. */
const ERASED = '(erased)';

/**
 * The trigger that keeps entries as they are lets `before` and `after` change while this is on, in
 * this transaction.
 */
const BEGIN = `select set_config('weir.erasing', 'on', true)`;
const END = `select set_config('weir.erasing', 'off', true)`;

const FIND = `
  select id, subject_id as "subjectId", before, after from audit_entries
  where subject_id = any ($1) or exists (
    select from unnest($2::text[]) as e(word)
    where position(e.word in coalesce(before::text, '')) > 0 or position(e.word in coalesce(after::text, '')) > 0)
  order by id`;

const CHANGE = 'update audit_entries set before = $2, after = $3 where id = $1';

export interface Personal {
  /** The ids of the entries' subjects. */
  readonly subjectIds: readonly string[];
  /** Texts that are personal in those entries. */
  readonly words: readonly string[];
  /** Texts that are personal in every entry: no two things share them. */
  readonly everywhere: readonly string[];
}

interface EntryRow {
  readonly id: number;
  readonly subjectId: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface LineRow {
  readonly id: string;
  readonly position: number;
  readonly before: unknown;
  readonly after: unknown;
}

const FIND_LINES = `
  select bulk_change_id as id, position, before, after from bulk_change_lines
  where subject_id = any ($1::uuid[])`;

const CHANGE_LINE = `
  update bulk_change_lines set name = $3, before = $4, after = $5
  where bulk_change_id = $1 and position = $2`;

/** Decides whether a text is personal, by itself or by the field that it is in. */
type IsPersonal = (text: string, field: string) => boolean;

function redacted(value: unknown, isPersonal: IsPersonal, field = ''): unknown {
  if (typeof value === 'string') return isPersonal(value, field) ? ERASED : value;
  if (Array.isArray(value)) return value.map((entry) => redacted(entry, isPersonal, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, redacted(entry, isPersonal, name)]),
  );
}

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/**
 * Takes what is personal out of what the audit log quotes: texts of the account, and operators'
 * notes on it. Who did what, when and to which id stays.
 */
export async function redactAudit(
  db: Database,
  { subjectIds, words, everywhere }: Personal,
): Promise<void> {
  const entries = await db.query<EntryRow>(FIND, [subjectIds, everywhere]);
  const lines = await db.query<LineRow>(FIND_LINES, [subjectIds]);
  const personal = new Set(words);
  const subjects = new Set(subjectIds);
  const isPersonalIn =
    (isOwn: boolean): IsPersonal =>
    (text, field) =>
      personal.has(text) ||
      (field === 'note' && (isOwn || everywhere.some((word) => text.includes(word))));
  await db.query(BEGIN);
  for (const { id, subjectId, before, after } of entries.rows) {
    const isPersonal = isPersonalIn(subjects.has(subjectId));
    const values = [redacted(before, isPersonal), redacted(after, isPersonal)].map(jsonOf);
    await db.query(CHANGE, [id, ...values]);
  }
  for (const { id, position, before, after } of lines.rows) {
    const isPersonal = isPersonalIn(true);
    const values = [redacted(before, isPersonal), redacted(after, isPersonal)].map(jsonOf);
    await db.query(CHANGE_LINE, [id, position, ERASED, ...values]);
  }
  await db.query(END);
}
