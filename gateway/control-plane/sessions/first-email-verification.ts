import { lockRow, type Database } from '../api/transaction.ts';
import { audit, type Actor, type AuditedCall } from '../audit/audit-log.ts';
import { REMOVE_SECOND_FACTOR } from '../second-factors/routes.ts';
import type { UserRow } from '../users/user-row.ts';

const HAS_PAID = 'select 1 from orders where account_id = $1 and paid_at is not null limit 1';

/** All keys of the person's own account, and their own keys in others. */
const keysOf = `account_id = $1 or member_id in (select id from members where user_id = $2)`;

/**
 * In one order, and in a statement of its own: a change of a key that is under way is waited for
 * and then seen.
 */
const LOCK_KEYS = `select 1 from keys where ${keysOf} order by id for update`;

const DISABLE_KEYS = `
  update keys set status = 'disabled', updated_at = now()
  where (${keysOf}) and status = 'active' returning id, name`;

const DELETE_ALIASES = `
  delete from key_aliases where key_id in (select id from keys where ${keysOf})`;

const UNLINK_IDENTITIES = 'delete from identities where user_id = $1';

/**
 * True while no one has shown that the address is theirs: with confirmation off anyone may have
 * registered it. An administrator's address is vouched for by their creator; a user that an
 * administrator made has nothing to lose before they follow their first link.
 */
export function isUnproven(user: UserRow): boolean {
  return user.emailVerifiedAt === null && user.role === 'user';
}

/** The actor in the audit log for a followed link: the user, without a session. */
export function followerOf({ id: userId, accountId, email, role }: UserRow): Actor {
  return { userId, accountId, email, role, sessionId: null, accessToken: null };
}

/**
 * The address is proven for the first time, by a link. Whatever was made before may be a stranger's
 * who registered it first: that person's second factor would keep the owner out, and their keys
 * would spend the owner's money. The second factor goes; the keys are disabled, so that an owner
 * who made them enables them again. Returns how many were disabled.
 *
 * Not where something was paid by card: no one pays for the account of a stranger, and what they
 * run on their keys must not stop because they have forgotten their password.
 */
export async function takeUnprovenAccess(
  db: Database,
  call: Omit<AuditedCall, 'caller'>,
  user: UserRow,
): Promise<number> {
  if ((await db.query(HAS_PAID, [user.accountId])).rowCount !== 0) return 0;
  // A key that is being made holds the account's row, and finds the session ended once it gets it
  // after this.
  await lockRow(db, 'accounts', user.accountId);
  const whose = [user.accountId, user.id];
  await db.query(LOCK_KEYS, whose);
  const keys = await db.query<{ id: string; name: string }>(DISABLE_KEYS, whose);
  await db.query(DELETE_ALIASES, whose);
  await db.query(UNLINK_IDENTITIES, [user.id]);
  const factors = await db.query(REMOVE_SECOND_FACTOR, [user.id]);
  if (keys.rowCount === 0 && factors.rowCount === 0) return 0;
  const before = { secondFactor: user.secondFactor, disabledKeys: [] };
  const after = { secondFactor: false, disabledKeys: keys.rows };
  const caller = followerOf(user);
  await audit(db, { ...call, caller }, { kind: 'user', id: user.id, before, after });
  return keys.rows.length;
}
