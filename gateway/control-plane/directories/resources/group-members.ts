import type { Database } from '../../api/transaction.ts';
import { invalid } from '../scim/scim-error.ts';
import { isId } from './user-row.ts';

const UNKNOWN = `
  select wanted::text as id from unnest($2::uuid[]) wanted
  where not exists (select from directory_users where provider_id = $1 and id = wanted)
  limit 1`;

const REMOVE = `
  delete from directory_group_members where group_id = $1 and directory_user_id = any ($2::uuid[])`;
const ADD = `
  insert into directory_group_members (group_id, directory_user_id)
  select $1, added from unnest($2::uuid[]) added`;

/**
 * In one order, so that two changes of groups do not wait for each other; and no key, which the
 * other one's members refer to.
 */
const mark = (which: string): string => `
  update directory_users set stale = true where id in (
    select id from directory_users where id ${which} order by id for no key update)`;
const MARK = mark('= any ($1::uuid[])');
const MARK_OF_GROUP = mark(
  'in (select directory_user_id from directory_group_members where group_id = $1)',
);

interface Scope {
  readonly providerId: string;
  readonly groupId: string;
}

function noSuchUser(id: string): Error {
  return invalid('invalidValue', `There is no user "${id.slice(0, 100)}" to be a member.`);
}

async function refuseUnknown(
  db: Database,
  providerId: string,
  members: readonly string[],
): Promise<void> {
  const odd = members.find((id) => !isId(id));
  if (odd !== undefined) throw noSuchUser(odd);
  const { rows } = await db.query<{ id: string }>(UNKNOWN, [providerId, members]);
  const [unknown] = rows;
  if (unknown !== undefined) throw noSuchUser(unknown.id);
}

/** The members of a group, as they are and as they are to be. */
interface Members {
  readonly known: readonly string[];
  readonly wanted: readonly string[];
}

/**
 * Brings the members of a group to those that are wanted, and marks the people whose groups change,
 * before their rows in the group are locked. The group is locked. Throws for a member who is not in
 * the directory.
 */
export async function writeMembers(
  db: Database,
  { providerId, groupId }: Scope,
  { known, wanted }: Members,
): Promise<{ readonly added: readonly string[]; readonly removed: readonly string[] }> {
  const [former, next] = [new Set(known), new Set(wanted)];
  const added = wanted.filter((id) => !former.has(id));
  const removed = known.filter((id) => !next.has(id));
  if (added.length === 0 && removed.length === 0) return { added, removed };
  await refuseUnknown(db, providerId, added);
  await db.query(MARK, [[...added, ...removed]]);
  await db.query(REMOVE, [groupId, removed]);
  await db.query(ADD, [groupId, added]);
  return { added, removed };
}

/** Marks all members of a group, whose name or existence changes. */
export async function markMembers(db: Database, groupId: string): Promise<void> {
  await db.query(MARK_OF_GROUP, [groupId]);
}
