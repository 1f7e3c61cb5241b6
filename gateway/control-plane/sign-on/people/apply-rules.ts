import { MEMBERS_PER_ACCOUNT_MAX } from '@weir/shared/people/members';
import { MEMBER_PERMISSIONS } from '@weir/shared/api/permissions';
import { onlyRow, lockRow, type Database } from '../../api/transaction.ts';
import { auditIn, type AuditedCall } from '../../audit/audit-log.ts';
import { endMembership, withdrawInvitationsOf } from '../../members/end-membership.ts';
import { findMemberOfUser, memberView, type MemberRow } from '../../members/member-row.ts';
import { refuseLastOwner } from '../../members/owners.ts';
import type { Mapped } from './claims.ts';
import type { ProviderRow } from '../providers/provider-row.ts';

const COUNT = `
  select count(*)::integer as count from members where account_id = $1 and ended_at is null`;

const ENTER = `
  insert into members (account_id, user_id, role, team_id, managed_by) values ($1, $2, $3, $4::bigint, $5)
  on conflict (account_id, user_id) do update
    set role = excluded.role, team_id = excluded.team_id, managed_by = excluded.managed_by, ended_at = null,
      ownership_offered_at = null, updated_at = now()`;

const CHANGE = `
  update members set role = $2, team_id = $3::bigint, ownership_offered_at = null, updated_at = now()
  where id = $1::bigint`;

const MANAGED = `
  select account_id as "accountId" from members
  where user_id = $1 and managed_by = $2 and ended_at is null`;

const IS_MANAGED = `
  select 1 from members where id = $1::bigint and managed_by = $2`;

const TEAM_OF = `
  select 1 from teams where id = $1::bigint and account_id = $2 and deleted_at is null`;

interface Applying {
  readonly provider: ProviderRow;
  readonly userId: string;
  readonly call: AuditedCall;
}

async function note(
  db: Database,
  { call, provider }: Applying,
  change: {
    readonly accountId: string;
    readonly id: string;
    readonly before: object | null;
    readonly after: object | null;
  },
): Promise<void> {
  const { accountId, id, before, after } = change;
  const signOn = { signOnProviderId: provider.id };
  const noted = {
    kind: 'member',
    id,
    before,
    after: after === null ? null : { ...after, ...signOn },
  };
  await auditIn(accountId, db, { call, change: noted });
}

async function enter(db: Database, applying: Applying, mapped: Mapped): Promise<void> {
  const { provider, userId } = applying;
  const { accountId, role, teamId } = mapped;
  const { rows } = await db.query<{ count: number }>(COUNT, [accountId]);
  if (onlyRow(rows).count >= MEMBERS_PER_ACCOUNT_MAX) {
    const after = { refused: 'limit_reached', role };
    await note(db, applying, { accountId, id: userId, before: null, after });
    return;
  }
  await db.query(ENTER, [accountId, userId, role, teamId, provider.id]);
  const member = await findMemberOfUser(db, { accountId, userId });
  if (member === undefined) throw new Error('a member who was entered is gone');
  await note(db, applying, { accountId, id: member.id, before: null, after: memberView(member) });
}

/** Gives a member the role and team of the rule. An owner stays one: other owners made them so. */
async function change(
  db: Database,
  applying: Applying,
  { member, mapped }: { readonly member: MemberRow; readonly mapped: Mapped },
): Promise<void> {
  const role = member.role === 'owner' ? 'owner' : mapped.role;
  if (role === member.role && mapped.teamId === member.teamId) return;
  await db.query(CHANGE, [member.id, role, mapped.teamId]);
  const { accountId, userId } = member;
  const after = await findMemberOfUser(db, { accountId, userId });
  if (after === undefined) throw new Error('a member who was changed is gone');
  if (!MEMBER_PERMISSIONS[role].includes('members.manage')) await withdrawInvitationsOf(db, after);
  const views = { before: memberView(member), after: memberView(after) };
  await note(db, applying, { accountId, id: member.id, ...views });
}

/**
 * Ends a membership that no rule leads to. The last owner stays, or no one could manage the
 * account.
 */
async function end(db: Database, applying: Applying, member: MemberRow): Promise<void> {
  const { accountId, id } = member;
  const before = memberView(member);
  if ((await refuseLastOwner(db, member)) !== undefined) {
    await note(db, applying, { accountId, id, before, after: { ...before, kept: 'last_owner' } });
    return;
  }
  await endMembership(db, member);
  await note(db, applying, { accountId, id, before, after: null });
}

/** The team of a rule may be of another account by now. */
async function withTeam(db: Database, mapped: Mapped | undefined): Promise<Mapped | undefined> {
  if (mapped?.teamId == null) return mapped;
  const { rowCount } = await db.query(TEAM_OF, [mapped.teamId, mapped.accountId]);
  return rowCount === 0 ? { ...mapped, teamId: null } : mapped;
}

async function applyIn(
  db: Database,
  applying: Applying,
  { accountId, mapped }: { readonly accountId: string; readonly mapped: Mapped | undefined },
): Promise<void> {
  const { userId, provider } = applying;
  await lockRow(db, 'accounts', accountId);
  const member = await findMemberOfUser(db, { accountId, userId });
  if (member === undefined) {
    if (mapped !== undefined) await enter(db, applying, mapped);
    return;
  }
  // A membership that people manage, or another provider, is theirs.
  if ((await db.query(IS_MANAGED, [member.id, provider.id])).rowCount === 0) return;
  if (mapped === undefined) await end(db, applying, member);
  else await change(db, applying, { member, mapped });
}

/**
 * Brings the memberships that the provider manages to what its claims lead to. The person's user is
 * locked; accounts are locked in the order of their ids (docs/decisions/0028-lock-order.md).
 */
export async function applyRules(
  db: Database,
  applying: Applying,
  mapped: readonly Mapped[],
): Promise<void> {
  const { userId, provider } = applying;
  const { rows } = await db.query<{ accountId: string }>(MANAGED, [userId, provider.id]);
  const accountIds = [...rows, ...mapped].map(({ accountId }) => accountId);
  for (const accountId of [...new Set(accountIds)].toSorted()) {
    const wanted = mapped.find((one) => one.accountId === accountId);
    await applyIn(db, applying, { accountId, mapped: await withTeam(db, wanted) });
  }
}
