import { permits } from '@weir/shared/api/permissions';
import type { Identity } from '../api/call.ts';
import type { Database } from '../api/transaction.ts';

/** The account or member whose requests a search is about. */
export interface UsageScope {
  readonly accountId?: string;
  /** Only requests with keys of this member. */
  readonly ownMemberId?: string;
}

/** The requests that a member may see: all of the account, or those with the member's own keys. */
export function ownUsage(caller: Identity): UsageScope {
  const { accountId, memberId } = caller;
  return permits(caller, 'usage.all') ? { accountId } : { accountId, ownMemberId: memberId };
}

/**
 * Returns the SQL condition that a key is the member's.
 * @param key SQL of the key's id
 * @param member SQL of the member's id
 */
export function keyOfMember(key: string, member: string): string {
  return `${key} = any (array(select id from keys where member_id = ${member}::bigint))`;
}

const IS_KEY_OF = 'select 1 from keys where id = $1 and member_id = $2::bigint';

/** True when a member may see a request or its record. */
export async function isOwnUsage(
  db: Database,
  caller: Identity,
  row: { readonly accountId: string | null; readonly keyId: string | null },
): Promise<boolean> {
  const { accountId, ownMemberId } = ownUsage(caller);
  if (row.accountId !== accountId) return false;
  if (ownMemberId === undefined) return true;
  return (await db.query(IS_KEY_OF, [row.keyId, ownMemberId])).rowCount !== 0;
}
