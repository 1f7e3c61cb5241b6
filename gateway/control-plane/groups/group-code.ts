import type { GroupCodeView } from '@weir/shared/catalog/groups';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { seal, unseal, type Secrets } from '../../platform/secrets/secrets.ts';
import type { Answer, Call } from '../api/call.ts';
import { digestOfCode, newCode } from '../api/callers/opaque-token.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';

/** Four groups of five letters carry 100 bits. */
const CODE_GROUPS = 4;

const FIND = 'select code_sealed as sealed from groups where id = $1';
const SET = 'update groups set code_digest = $2, code_sealed = $3 where id = $1';

/** The group that a code opens; the code of a group that is no longer for a code opens none. */
const OPENED = `
  select id, name from groups where code_digest = $1 and access = 'code' and status = 'active'`;

const JOIN = `
  insert into group_accounts (group_id, account_id, joined_by) values ($1, $2, 'code')
  on conflict do nothing`;

const NO_GROUP = refuse('not_found', 'There is no such group.');

/** Gives a group a new code. A former one opens it no more. */
export async function setGroupCode(
  db: Database,
  secrets: Secrets,
  groupId: string,
): Promise<string> {
  const code = newCode(CODE_GROUPS);
  await db.query(SET, [groupId, digestOfCode(code), seal(secrets, code)]);
  return code;
}

/** A group that is for a code needs one. */
export async function ensureGroupCode(
  db: Database,
  secrets: Secrets,
  groupId: string,
): Promise<void> {
  const { rows } = await db.query<{ sealed: string | null }>(FIND, [groupId]);
  if (rows[0]?.sealed === null) await setGroupCode(db, secrets, groupId);
}

/**
 * Gives an account the group that a code opens; a repeat changes nothing. Undefined when the code
 * opens none.
 * @param digest of `digestOfCode`: the comparison is the index's, so its timing reveals no code
 */
export async function joinGroup(
  db: Database,
  digest: Buffer,
  accountId: string,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const { rows } = await db.query<{ id: string; name: string }>(OPENED, [digest]);
  const [group] = rows;
  if (group !== undefined) await db.query(JOIN, [group.id, accountId]);
  return group;
}

export async function getGroupCode({
  context: { pool, secrets },
  params,
}: Call<'getGroupCode'>): Promise<GroupCodeView | Refusal> {
  const { rows } = await pool.query<{ sealed: string | null }>(FIND, [params.groupId]);
  const [group] = rows;
  if (group === undefined) return NO_GROUP;
  return { code: group.sealed === null ? null : unseal(secrets, group.sealed) };
}

export function replaceGroupCode(call: Call<'replaceGroupCode'>): Answer<'replaceGroupCode'> {
  const {
    context: { pool, secrets },
    params: { groupId },
  } = call;
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query(FIND, [groupId]);
    if (rows.length === 0) return NO_GROUP;
    const code = await setGroupCode(client, secrets, groupId);
    // The audit log says that there is a new code, and not which.
    const change = { kind: 'group', id: groupId, before: null, after: { code: 'replaced' } };
    return { view: { code }, audit: await audit(client, call, change) };
  });
}
