import type { MembershipView, MemberView } from '@weir/shared/people/members';
import type { MemberRole } from '@weir/shared/api/permissions';
import { refuse } from '../../platform/errors/refusal.ts';
import type { Database } from '../api/transaction.ts';

/** Days for which an offer of ownership can be accepted. */
export const OWNERSHIP_OFFER_DAYS = 7;

const IS_OFFERED = `coalesce(m.ownership_offered_at
  > now() - make_interval(days => ${String(OWNERSHIP_OFFER_DAYS)}), false)`;

export interface MemberRow {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly userId: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly teamId: string | null;
  readonly teamName: string | null;
  /** The name of the identity provider whose rules decide role and team. */
  readonly managedBy: string | null;
  readonly ownershipOffered: boolean;
  /** The account is the one that is the person's own, whatever others they are in. */
  readonly personal: boolean;
  readonly keysCount: number;
  readonly createdAt: Date;
}

/**
 * A directory decides about the people whom it has entered; without one, claims do at each sign-on.
 * Otherwise the provider made the membership once, and people decide.
 */
const MANAGED_BY = `
  select p.name from sign_on_providers p
  where p.id = m.managed_by and case
    when exists (select from directories d where d.provider_id = p.id)
      then exists (select from directory_users d where d.provider_id = p.id and d.user_id = m.user_id)
    else p.status = 'active' end`;

/** Members who have not left, as `m`. */
export const SELECT_MEMBERS = `
  select m.id::text as id, m.account_id as "accountId", a.name as "accountName", m.user_id as "userId", u.email, m.role,
    m.team_id::text as "teamId", t.name as "teamName", (${MANAGED_BY}) as "managedBy", ${IS_OFFERED} as "ownershipOffered",
    u.account_id = m.account_id as personal, m.created_at as "createdAt",
    (select count(*)::integer from keys k where k.member_id = m.id and k.status <> 'deleted') as "keysCount"
  from members m join users u on u.id = m.user_id join accounts a on a.id = m.account_id
    left join teams t on t.id = m.team_id
  where m.ended_at is null`;

const FIND = `${SELECT_MEMBERS} and m.account_id = $1 and m.id = $2::bigint`;
const FIND_OF_USER = `${SELECT_MEMBERS} and m.account_id = $1 and m.user_id = $2`;
const OF_USER = `${SELECT_MEMBERS} and m.user_id = $1 order by personal desc, lower(a.name), a.id`;

export const NO_MEMBER = refuse('not_found', 'There is no such member.');

/** A member of the account by the membership's id. */
export async function findMember(
  db: Database,
  { accountId, memberId }: { readonly accountId: string; readonly memberId: string },
): Promise<MemberRow | undefined> {
  return (await db.query<MemberRow>(FIND, [accountId, memberId])).rows[0];
}

/** A person's membership of the account. */
export async function findMemberOfUser(
  db: Database,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<MemberRow | undefined> {
  return (await db.query<MemberRow>(FIND_OF_USER, [accountId, userId])).rows[0];
}

/** All accounts of a person: their own first. */
export async function readMemberships(db: Database, userId: string): Promise<MemberRow[]> {
  return (await db.query<MemberRow>(OF_USER, [userId])).rows;
}

export function membershipView(row: MemberRow): MembershipView {
  return {
    accountId: row.accountId,
    accountName: row.accountName,
    memberId: row.id,
    role: row.role,
    teamName: row.teamName,
    personal: row.personal,
    ownershipOffered: row.ownershipOffered,
  };
}

export function memberView(row: MemberRow): MemberView {
  return {
    id: row.id,
    userId: row.userId,
    email: row.email,
    role: row.role,
    teamId: row.teamId,
    teamName: row.teamName,
    managedBy: row.managedBy,
    ownershipOffered: row.ownershipOffered,
    keysCount: row.keysCount,
    joinedAt: row.createdAt.toISOString(),
  };
}
