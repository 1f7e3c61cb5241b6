import {
  OWNED_ACCOUNTS_MAX,
  type MembershipList,
  type MembershipView,
} from '@weir/shared/people/members';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction, lockRow, type Database } from '../api/transaction.ts';
import { auditIn } from '../audit/audit-log.ts';
import { endMembership } from './end-membership.ts';
import {
  findMemberOfUser,
  membershipView,
  memberView,
  readMemberships,
  type MemberRow,
} from './member-row.ts';
import { openAccount } from './open-account.ts';
import { refuseLastOwner } from './owners.ts';

const ACT_IN = 'update sessions set account_id = $2 where id = $1';
const BECOME_OWNER = `
  update members set role = 'owner', ownership_offered_at = null, updated_at = now()
  where id = $1::bigint`;

const NO_MEMBERSHIP = refuse('not_found', 'You are not a member of such an account.');

async function membershipOf(db: Database, accountId: string, userId: string): Promise<MemberRow> {
  const member = await findMemberOfUser(db, { accountId, userId });
  if (member === undefined) throw new Error('a membership that was made is gone');
  return member;
}

/** Lets the session act in an account from now on. */
export async function actIn(
  db: Database,
  { sessionId }: { readonly sessionId: string | null },
  accountId: string,
): Promise<void> {
  await db.query(ACT_IN, [sessionId, accountId]);
}

export async function listMemberships({
  context,
  caller,
}: Call<'listMemberships'>): Promise<MembershipList> {
  const rows = await readMemberships(context.pool, caller.userId);
  // A token acts in its own account and shows no other.
  const shown =
    caller.accessToken === null
      ? rows
      : rows.filter(({ accountId }) => accountId === caller.accountId);
  return { data: shown.map(membershipView) };
}

export function createOwnAccount(call: Call<'createOwnAccount'>): Answer<'createOwnAccount'> {
  const { context, caller, body } = call;
  return inTransaction(context.pool, async (client) => {
    // The user's row orders two creations at once, so that neither passes the limit.
    await lockRow(client, 'users', caller.userId);
    const owned = await readMemberships(client, caller.userId);
    if (owned.filter(({ role }) => role === 'owner').length > OWNED_ACCOUNTS_MAX) {
      return refuse(
        'limit_reached',
        `You own ${String(OWNED_ACCOUNTS_MAX)} accounts besides your own, which is the most.`,
      );
    }
    const accountId = await openAccount(client, { userId: caller.userId, name: body.name });
    await actIn(client, caller, accountId);
    const view = membershipView(await membershipOf(client, accountId, caller.userId));
    const change = { kind: 'account', id: accountId, before: null, after: { name: body.name } };
    return { view, audit: await auditIn(accountId, client, { call, change }) };
  });
}

export async function switchAccount({
  context,
  caller,
  body,
}: Call<'switchAccount'>): Promise<MembershipView | Refusal> {
  const { accountId } = body;
  const member = await findMemberOfUser(context.pool, { accountId, userId: caller.userId });
  if (member === undefined) return NO_MEMBERSHIP;
  await actIn(context.pool, caller, accountId);
  return membershipView(member);
}

/** Locks the caller's user and the account, and finds the caller's membership of it. */
async function lockMembership(
  db: Database,
  userId: string,
  accountId: string,
): Promise<MemberRow | Refusal> {
  await lockRow(db, 'users', userId);
  await lockRow(db, 'accounts', accountId);
  return (await findMemberOfUser(db, { accountId, userId })) ?? NO_MEMBERSHIP;
}

export function leaveAccount(call: Call<'leaveAccount'>): Answer<'leaveAccount'> {
  const { context, caller, params } = call;
  const { accountId } = params;
  return inTransaction(context.pool, async (client) => {
    const member = await lockMembership(client, caller.userId, accountId);
    if ('refused' in member) return member;
    const refused = await refuseLastOwner(client, member);
    if (refused !== undefined) return refused;
    await endMembership(client, member);
    const change = { kind: 'member', id: member.id, before: memberView(member), after: null };
    return { view: undefined, audit: await auditIn(accountId, client, { call, change }) };
  });
}

export function acceptOwnership(call: Call<'acceptOwnership'>): Answer<'acceptOwnership'> {
  const { context, caller, params } = call;
  const { accountId } = params;
  return inTransaction(context.pool, async (client) => {
    const member = await lockMembership(client, caller.userId, accountId);
    if ('refused' in member) return member;
    if (!member.ownershipOffered) {
      return refuse(
        'state_conflict',
        'Ownership of this account is not offered to you, or the offer has expired. Ask an owner to offer it.',
      );
    }
    await client.query(BECOME_OWNER, [member.id]);
    const after = await membershipOf(client, accountId, caller.userId);
    const change = {
      kind: 'member',
      id: member.id,
      before: memberView(member),
      after: memberView(after),
    };
    const receipt = await auditIn(accountId, client, { call, change });
    return { view: membershipView(after), audit: receipt };
  });
}
