import type { Database } from '../../api/transaction.ts';
import { invalid } from '../scim/scim-error.ts';
import { isId } from './user-row.ts';

const KNOWN = 'select id from directory_users where provider_id = $1 and id = any ($2::uuid[])';

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

async function knownOf(
  db: Database,
  providerId: string,
  members: readonly string[],
): Promise<ReadonlySet<string>> {
  const odd = members.find((id) => !isId(id));
  if (odd !== undefined) throw noSuchUser(odd);
  const { rows } = await db.query<{ id: string }>(KNOWN, [providerId, members]);
  return new Set(rows.map(({ id }) => id));
}

/** The members of a group, as they are and as they are to be. */
interface Members {
  readonly known: readonly string[];
  readonly wanted: readonly string[];
}

export interface ChangedMembers {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Ids of people who are not in the directory, such as those whose login was erased. */
  readonly leftOut: readonly string[];
}

/**
 * Brings the members of a group to those that are wanted, and marks the people whose groups change,
 * before their rows in the group are locked. The group is locked. A member who is not in the
 * directory is left out, because the provider does not repeat a refused change, and others would
 * keep what they lost by it. Throws if no other member changes.
 */
export async function writeMembers(
  db: Database,
  { providerId, groupId }: Scope,
  { known, wanted }: Members,
): Promise<ChangedMembers> {
  const [former, next] = [new Set(known), new Set(wanted)];
  const asked = wanted.filter((id) => !former.has(id));
  const removed = known.filter((id) => !next.has(id));
  if (asked.length === 0 && removed.length === 0) return { added: [], removed, leftOut: [] };
  const entered = await knownOf(db, providerId, asked);
  const added = asked.filter((id) => entered.has(id));
  const leftOut = asked.filter((id) => !entered.has(id));
  const [unknown] = leftOut;
  if (unknown !== undefined && added.length === 0 && removed.length === 0)
    throw noSuchUser(unknown);
  await db.query(MARK, [[...added, ...removed]]);
  await db.query(REMOVE, [groupId, removed]);
  await db.query(ADD, [groupId, added]);
  return { added, removed, leftOut };
}

/** Marks all members of a group, whose name or existence changes. */
export async function markMembers(db: Database, groupId: string): Promise<void> {
  await db.query(MARK_OF_GROUP, [groupId]);
}
