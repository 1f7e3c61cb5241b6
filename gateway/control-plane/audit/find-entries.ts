import type {
  AUDIT_FILTERS,
  AuditEntryListQuery,
  AuditEntryView,
} from '@weir/shared/people/audit-entries';
import type { Identity } from '../api/call.ts';
import { Conditions } from '../api/lists/conditions.ts';
import { likePattern } from '../api/lists/like-pattern.ts';
import type { Database } from '../api/transaction.ts';
import { UPSTREAM_PRICES_SUBJECT } from '../upstream-prices/routes.ts';

export interface AuditRow extends Omit<AuditEntryView, 'at' | 'names'> {
  readonly at: Date;
}

export type AuditFilter = Pick<AuditEntryListQuery, keyof typeof AUDIT_FILTERS>;

const SELECT = `
  select id, at, user_id as "userId", user_email as "userEmail", account_id as "accountId", by, address, request_id as "requestId", action,
    subject_kind as "subjectKind", subject_id as "subjectId", before, after
  from audit_entries`;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** More objects with such a name are not looked for. */
const NAMED_MAX = 1_000;

/** Objects that have a text in their present name. */
const NAMED = `
  select id from (
    select id from accounts where name ilike $1
    union all select id from users where email ilike $1
    union all select m.account_id from members m join users u on u.id = m.user_id where u.email ilike $1
    union all select id from models where public_id ilike $1
    union all select id from channels where name ilike $1
    union all select id from groups where name ilike $1
    union all select id from plans where name ilike $1
    union all select id from keys where name ilike $1 or prefix ilike $1) named
  limit ${String(NAMED_MAX)}`;

async function subjectsOf(
  db: Database,
  { subjectId, subject }: AuditFilter,
): Promise<readonly string[] | undefined> {
  const pattern = likePattern(subject);
  if (subject === undefined || pattern === null) {
    return subjectId === undefined ? undefined : [subjectId];
  }
  const { rows } = await db.query<{ id: string }>(NAMED, [pattern]);
  const named = [subject.trim(), ...rows.map(({ id }) => id)];
  return subjectId === undefined ? named : named.filter((id) => id === subjectId);
}

/** Entries of objects, and of the bulk changes that concerned them. */
function addSubjects(conditions: Conditions, subjects: readonly string[]): void {
  const ids = conditions.place(subjects);
  const uuids = conditions.place(subjects.filter((id) => UUID.test(id)));
  conditions.add(`(subject_id = any (${ids}) or (subject_kind = 'bulk_change' and subject_id in (
    select l.bulk_change_id::text from bulk_change_lines l where l.subject_id = any (${uuids}))))`);
}

function conditionsOf(filter: AuditFilter, { role }: Identity, after: string | null): Conditions {
  const { userId, accountId, user, action, subjectKind, from, to } = filter;
  const conditions = new Conditions();
  if (after !== null) conditions.add(`id < ${conditions.place(after)}::bigint`);
  conditions.equal('user_id', userId);
  conditions.equal('account_id', accountId);
  const person = likePattern(user);
  if (person !== null) conditions.add(`user_email ilike ${conditions.place(person)}`);
  conditions.equal('action', action);
  conditions.equal('subject_kind', subjectKind);
  if (from !== undefined) conditions.add(`at >= ${conditions.place(from)}`);
  if (to !== undefined) conditions.add(`at < ${conditions.place(to)}`);
  // Supporters do not learn what upstreams cost.
  if (role !== 'admin') {
    conditions.add(`subject_kind <> ${conditions.place(UPSTREAM_PRICES_SUBJECT)}`);
  }
  return conditions;
}

/** Reads entries newest first, at most `limit` of them before an id. */
export async function findEntries(
  db: Database,
  call: { readonly query: AuditFilter; readonly caller: Identity },
  page: { readonly after: string | null; readonly limit: number },
): Promise<AuditRow[]> {
  const conditions = conditionsOf(call.query, call.caller, page.after);
  const subjects = await subjectsOf(db, call.query);
  if (subjects !== undefined) addSubjects(conditions, subjects);
  const text = `${SELECT} ${conditions.sql} order by id desc limit ${conditions.place(page.limit)}`;
  return (await db.query<AuditRow>(text, conditions.values)).rows;
}
