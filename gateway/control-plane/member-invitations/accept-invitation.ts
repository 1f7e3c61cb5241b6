import { MEMBERS_PER_ACCOUNT_MAX } from '@weir/shared/people/members';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, Audited } from '../api/call.ts';
import { inTransaction, lockRow, onlyRow, type Database } from '../api/transaction.ts';
import { auditIn } from '../audit/audit-log.ts';
import { writeBudgets } from '../budgets/update-budget.ts';
import { findMemberOfUser, membershipView, memberView } from '../members/member-row.ts';
import { actIn } from '../members/memberships.ts';
import { findInvitationByToken, IS_OPEN, type InvitationRow } from './invitation-row.ts';
import {
  noteRefusedInvitation,
  refuseInvitation,
  UNKNOWN_INVITATION,
} from './refuse-invitation.ts';

const COUNT = `
  select count(*)::integer as count from members where account_id = $1 and ended_at is null`;

const ENTER = `
  insert into members (account_id, user_id, role, team_id) values ($1, $2, $3, $4::bigint)
  on conflict (account_id, user_id) do update
    set role = excluded.role, team_id = excluded.team_id, managed_by = null, ended_at = null,
      ownership_offered_at = null, updated_at = now()`;

const USE = `
  update member_invitations i set accepted_at = now(), accepted_by = $2
  where i.id = $1 and ${IS_OPEN}`;

/** Refuses a person who is there already, and more members than an account may have. */
async function refuseEntry(
  db: Database,
  { accountId }: InvitationRow,
  userId: string,
): Promise<Refusal | undefined> {
  if ((await findMemberOfUser(db, { accountId, userId })) !== undefined) {
    return refuse('already_exists', 'You are a member of this account already.');
  }
  const { rows } = await db.query<{ count: number }>(COUNT, [accountId]);
  if (onlyRow(rows).count < MEMBERS_PER_ACCOUNT_MAX) return undefined;
  return refuse(
    'limit_reached',
    `The account has ${String(MEMBERS_PER_ACCOUNT_MAX)} members, which is the most.`,
  );
}

type Entered = Audited<ReturnType<typeof membershipView>>;

async function enter(
  db: Database,
  call: Call<'acceptMemberInvitation'>,
  invitation: InvitationRow,
): Promise<Entered | Refusal> {
  const { caller } = call;
  const { accountId, role, teamId } = invitation;
  const refused = await refuseEntry(db, invitation, caller.userId);
  if (refused !== undefined) return refused;
  await db.query(ENTER, [accountId, caller.userId, role, teamId]);
  await db.query(USE, [invitation.id, caller.userId]);
  await actIn(db, caller, accountId);
  const member = await findMemberOfUser(db, { accountId, userId: caller.userId });
  if (member === undefined) throw new Error('a member who was entered is gone');
  const { total, day, month } = invitation;
  if (total !== null || day !== null || month !== null) {
    await writeBudgets(db, { accountId, scope: `member:${member.id}` }, { total, day, month });
  }
  const after = { ...memberView(member), invitationId: invitation.id };
  const change = { kind: 'member', id: member.id, before: null, after };
  return { view: membershipView(member), audit: await auditIn(accountId, db, { call, change }) };
}

/** Makes the caller a member, once per invitation, and lets the session act in the account. */
export async function acceptMemberInvitation(
  call: Call<'acceptMemberInvitation'>,
): Answer<'acceptMemberInvitation'> {
  const { context, caller, body } = call;
  const known = await findInvitationByToken(context.pool, body.token);
  if (known === undefined) return UNKNOWN_INVITATION;
  const entered = await inTransaction(context.pool, async (client) => {
    await lockRow(client, 'users', caller.userId);
    await lockRow(client, 'accounts', known.accountId);
    // Read again: another acceptance may have had the account's lock before.
    const invitation = (await findInvitationByToken(client, body.token)) ?? known;
    const refused = refuseInvitation(invitation, caller.email);
    return refused?.refusal ?? enter(client, call, invitation);
  });
  if ('refused' in entered) await noteRefusal(call, (await again(call)) ?? known);
  return entered;
}

function again({ context, body }: Call<'acceptMemberInvitation'>) {
  return findInvitationByToken(context.pool, body.token);
}

async function noteRefusal(
  call: Call<'acceptMemberInvitation'>,
  invitation: InvitationRow,
): Promise<void> {
  const { context, caller } = call;
  const refused = refuseInvitation(invitation, caller.email);
  // A member who accepts again is refused too, and no one tries anything.
  if (refused === undefined) return;
  const { reason } = refused;
  await noteRefusedInvitation(context.pool, call, { invitation, reason, by: caller });
}
