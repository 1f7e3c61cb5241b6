import type { MEMBER_ROUTES } from '@weir/shared/api/admin-routes/members';
import type { MemberPage, MemberUpdate } from '@weir/shared/people/members';
import { MEMBER_PERMISSIONS } from '@weir/shared/api/permissions';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf, Identity } from '../api/call.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor } from '../api/lists/cursor.ts';
import { likePattern } from '../api/lists/like-pattern.ts';
import { inTransaction, lockRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { refuseTeam } from '../teams/team-row.ts';
import { endMembership, withdrawInvitationsOf } from './end-membership.ts';
import { findMember, memberView, NO_MEMBER, SELECT_MEMBERS, type MemberRow } from './member-row.ts';
import {
  acceptOwnership,
  createOwnAccount,
  leaveAccount,
  listMemberships,
  switchAccount,
} from './memberships.ts';
import { refuseForeignOwner, refuseGrantByToken, refuseLastOwner } from './owners.ts';

type Table = Pick<
  typeof MEMBER_ROUTES,
  | 'listMemberships'
  | 'createOwnAccount'
  | 'switchAccount'
  | 'leaveAccount'
  | 'acceptOwnership'
  | 'listMembers'
  | 'updateMember'
  | 'removeMember'
>;

export const memberHandlers: HandlersOf<Table> = {
  listMemberships,
  createOwnAccount,
  switchAccount,
  leaveAccount,
  acceptOwnership,
  listMembers,
  updateMember,
  removeMember,
};

const LIST = `${SELECT_MEMBERS} and m.account_id = $1 and ($2::bigint is null or m.id > $2)
    and ($3::text is null or u.email like $3) and ($4::bigint is null or m.team_id = $4)
  order by m.id limit $5`;

async function listMembers({
  context,
  caller,
  query,
}: Call<'listMembers'>): Promise<MemberPage | Refusal> {
  const after = readCursor(query.cursor, [INTEGER_SHAPE]);
  if (after !== undefined && 'refused' in after) return after;
  const limit = pageLimit(query);
  const { rows } = await context.pool.query<MemberRow>(LIST, [
    caller.accountId,
    after?.[0] ?? null,
    likePattern(query.search?.toLowerCase()),
    query.teamId ?? null,
    limit + 1,
  ]);
  return pageOf(rows, { limit, view: memberView, sortKey: ({ id }) => [id] });
}

/**
 * Locks a member's user and the account, and finds the member. The user is looked up before,
 * because users are locked before accounts.
 */
async function lockMember(
  db: Database,
  caller: Identity,
  memberId: string,
): Promise<MemberRow | Refusal> {
  const scope = { accountId: caller.accountId, memberId };
  const known = await findMember(db, scope);
  if (known === undefined) return NO_MEMBER;
  await lockRow(db, 'users', known.userId);
  await lockRow(db, 'accounts', caller.accountId);
  return (await findMember(db, scope)) ?? NO_MEMBER;
}

/**
 * Refuses a role or a team that the provider would take back with the next sign-on or change of the
 * directory. Owners are made by owners alone, so that is left to them.
 */
function refuseManaged(member: MemberRow, { role, teamId }: MemberUpdate): Refusal | undefined {
  if (member.managedBy === null) return undefined;
  const owners = [role, member.role].includes('owner');
  const changesRole = role !== undefined && role !== member.role && !owners;
  const changesTeam = teamId !== undefined && teamId !== member.teamId;
  if (!changesRole && !changesTeam) return undefined;
  return refuse(
    'state_conflict',
    `The rules of ${member.managedBy} decide role and team of this member. Change the person’s groups there, or ask the operator to change the rules.`,
    { param: changesRole ? 'role' : 'teamId' },
  );
}

async function refuseUpdate(
  db: Database,
  caller: Identity,
  { member, body }: { readonly member: MemberRow; readonly body: MemberUpdate },
): Promise<Refusal | undefined> {
  const { role, teamId } = body;
  const isLowered = role !== undefined && role !== 'owner';
  return (
    refuseForeignOwner(caller, [member.role, role]) ??
    refuseGrantByToken(caller, role) ??
    refuseManaged(member, body) ??
    (isLowered ? await refuseLastOwner(db, member) : undefined) ??
    (await refuseTeam(db, { accountId: caller.accountId, teamId }))
  );
}

/** Ownership is offered and accepted; every other role is there at once and ends an offer. */
function changesOf({ role, teamId }: MemberUpdate, member: MemberRow) {
  const offers = role === 'owner' && member.role !== 'owner';
  const keeps = role === undefined || (role === 'owner' && !offers);
  return given([
    ['role', role === 'owner' ? undefined : role],
    ['ownership_offered_at', keeps ? undefined : offers ? new Date(databaseNowMs()) : null],
    ['team_id', teamId],
  ]);
}

function updateMember(call: Call<'updateMember'>): Answer<'updateMember'> {
  const { context, caller, params, body } = call;
  return inTransaction(context.pool, async (client) => {
    const member = await lockMember(client, caller, params.memberId);
    if ('refused' in member) return member;
    const refused = await refuseUpdate(client, caller, { member, body });
    if (refused !== undefined) return refused;
    const { sql, values } = setClause(changesOf(body, member), 2);
    await client.query(`update members set ${sql} where id = $1::bigint`, [member.id, ...values]);
    const after = await findMember(client, { accountId: caller.accountId, memberId: member.id });
    if (after === undefined) return NO_MEMBER;
    if (!MEMBER_PERMISSIONS[after.role].includes('members.manage')) {
      await withdrawInvitationsOf(client, after);
    }
    const view = memberView(after);
    const change = { kind: 'member', id: member.id, before: memberView(member), after: view };
    return { view, audit: await audit(client, call, change) };
  });
}

function removeMember(call: Call<'removeMember'>): Answer<'removeMember'> {
  const { context, caller, params } = call;
  return inTransaction(context.pool, async (client) => {
    const member = await lockMember(client, caller, params.memberId);
    if ('refused' in member) return member;
    if (member.userId === caller.userId) {
      return refuse('state_conflict', 'This is you. Leave the account on its page instead.');
    }
    const refused =
      refuseForeignOwner(caller, [member.role]) ?? (await refuseLastOwner(client, member));
    if (refused !== undefined) return refused;
    await endMembership(client, member);
    const change = { kind: 'member', id: member.id, before: memberView(member), after: null };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}
