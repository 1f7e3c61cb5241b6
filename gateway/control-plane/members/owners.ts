import { permits, type MemberRole } from '@weir/shared/api/permissions';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Identity } from '../api/call.ts';
import type { Database } from '../api/transaction.ts';
import type { MemberRow } from './member-row.ts';

const OTHER_OWNERS = `
  select 1 from members m join users u on u.id = m.user_id
  where m.account_id = $1 and m.id <> $2::bigint and m.role = 'owner' and m.ended_at is null
    and u.disabled_at is null
  limit 1`;

/** Refuses what would leave the account without an owner. The account's row is locked. */
export async function refuseLastOwner(
  db: Database,
  { accountId, id, role }: MemberRow,
): Promise<Refusal | undefined> {
  if (role !== 'owner') return undefined;
  const { rowCount } = await db.query(OTHER_OWNERS, [accountId, id]);
  if (rowCount !== 0) return undefined;
  return refuse(
    'state_conflict',
    'This is the last owner of the account. Offer ownership to another member first, who has to accept it.',
  );
}

/** Only owners change, remove or make owners. */
export function refuseForeignOwner(
  caller: Identity,
  roles: readonly (MemberRole | undefined)[],
): Refusal | undefined {
  if (!roles.includes('owner') || permits(caller, 'owners.manage')) return undefined;
  return refuse('role_required', 'Only an owner of the account may change or make owners.');
}

/**
 * Roles that manage members are given by a person who has logged in: a token that ends tomorrow
 * would otherwise make an administrator who stays.
 */
export function refuseGrantByToken(
  { accessToken }: Identity,
  role: MemberRole | undefined,
): Refusal | undefined {
  if (accessToken === null || (role !== 'owner' && role !== 'administrator')) return undefined;
  return refuse(
    'session_required',
    'Owners and administrators of an account are made in the console after logging in, not with an access token.',
    { param: 'role' },
  );
}
