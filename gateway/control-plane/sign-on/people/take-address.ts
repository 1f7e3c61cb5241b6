import type { AdminContext } from '../../api/context.ts';
import type { Database } from '../../api/transaction.ts';
import type { AuditedCall } from '../../audit/audit-log.ts';
import { confirmAddress } from '../../sessions/confirm-address.ts';
import { isUnproven, takeUnprovenAccess } from '../../sessions/first-email-verification.ts';
import { NO_PASSWORD } from '../../users/password-hash.ts';
import type { UserRow } from '../../users/user-row.ts';

/** Removes everything that a stranger who registered the address first may have left. */
const FORGET_STRANGER = [
  `update users set password_hash = '${NO_PASSWORD}', updated_at = now() where id = $1`,
  'delete from sessions where user_id = $1',
  'delete from access_tokens where user_id = $1',
  'delete from link_tokens where user_id = $1',
];

/**
 * Takes a login for the person who has its address, on the word of a provider that the operator
 * trusts for the domain. The user is locked.
 */
export async function takeAddress(
  db: Database,
  context: AdminContext,
  { user, call }: { readonly user: UserRow; readonly call: Omit<AuditedCall, 'caller'> },
): Promise<void> {
  if (isUnproven(user)) {
    for (const statement of FORGET_STRANGER) await db.query(statement, [user.id]);
    await takeUnprovenAccess(db, call, user);
  }
  await confirmAddress(db, context, user.id);
}
