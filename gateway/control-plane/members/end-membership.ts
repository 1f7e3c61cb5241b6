import type { Database } from '../api/transaction.ts';
import type { MemberRow } from './member-row.ts';
import { openAccount } from './open-account.ts';

const LOCK_KEYS = 'select 1 from keys where member_id = $1::bigint order by id for update';

/** In their order. Each has the membership as its only parameter. */
const END = [
  `delete from key_aliases where key_id in (select id from keys where member_id = $1::bigint)`,
  `update keys set status = 'disabled', updated_at = now()
   where member_id = $1::bigint and status = 'active'`,
  `update members set ended_at = now(), ownership_offered_at = null, updated_at = now()
   where id = $1::bigint`,
];

const WITHDRAW_INVITATIONS = `
  update member_invitations set withdrawn_at = now()
  where account_id = $1 and invited_by = $2 and accepted_at is null and withdrawn_at is null`;

const END_ACCESS = [
  `delete from access_tokens t using users u
   where t.user_id = $2 and u.id = t.user_id and coalesce(t.account_id, u.account_id) = $1`,
  // Sessions go on in the person's own account.
  'update sessions set account_id = null where user_id = $2 and account_id = $1',
];

const SET_OWN = 'update users set account_id = $1, updated_at = now() where id = $2';

/**
 * Withdraws what a member has invited to and nobody has accepted yet: who may no longer manage
 * members must not come back by their own link.
 */
export async function withdrawInvitationsOf(
  db: Database,
  { accountId, userId }: Pick<MemberRow, 'accountId' | 'userId'>,
): Promise<void> {
  await db.query(WITHDRAW_INVITATIONS, [accountId, userId]);
}

/**
 * Ends a membership with everything that works by it: the member's keys, access tokens of the
 * account, invitations. The rows of member and keys stay, because records name them.
 *
 * The person's user and then the account are locked (docs/decisions/0028-lock-order.md).
 */
export async function endMembership(db: Database, member: MemberRow): Promise<void> {
  const { id, accountId, userId } = member;
  await db.query(LOCK_KEYS, [id]);
  for (const statement of END) await db.query(statement, [id]);
  await withdrawInvitationsOf(db, member);
  for (const statement of END_ACCESS) await db.query(statement, [accountId, userId]);
  if (member.personal) await openOwnAccount(db, member);
}

/** Opens another account for a person who leaves the one that was their own: everyone owns one. */
async function openOwnAccount(
  db: Database,
  { userId, email }: Pick<MemberRow, 'userId' | 'email'>,
): Promise<void> {
  const accountId = await openAccount(db, { userId, name: email });
  await db.query(SET_OWN, [accountId, userId]);
}
