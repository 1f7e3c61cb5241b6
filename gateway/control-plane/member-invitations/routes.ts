import type { MEMBER_ROUTES } from '@weir/shared/api/admin-routes/members';
import {
  INVITATION_DAYS,
  OPEN_INVITATIONS_MAX,
  type MemberInvitationPage,
  type MemberInvitationPreview,
} from '@weir/shared/people/members';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { countAttempt } from '../api/callers/attempts.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { pageLimit, pageOf, readIdCursor } from '../api/lists/cursor.ts';
import { digestOf, newToken } from '../api/callers/opaque-token.ts';
import { inTransaction, lockRow, onlyRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { changedBudgets } from '../budgets/update-budget.ts';
import { writeMail } from '../mail/mails.ts';
import { refuseForeignOwner, refuseGrantByToken } from '../members/owners.ts';
import { readSettings } from '../settings/read-settings.ts';
import { refuseTeam } from '../teams/team-row.ts';
import { normaliseEmail } from '../users/user-row.ts';
import { acceptMemberInvitation } from './accept-invitation.ts';
import {
  findInvitation,
  findInvitationByToken,
  invitationView,
  IS_OPEN,
  readInvitations,
} from './invitation-row.ts';
import { refuseInvitation, UNKNOWN_INVITATION } from './refuse-invitation.ts';

type Table = Pick<
  typeof MEMBER_ROUTES,
  | 'listMemberInvitations'
  | 'inviteMember'
  | 'withdrawMemberInvitation'
  | 'lookUpMemberInvitation'
  | 'acceptMemberInvitation'
>;

export const memberInvitationHandlers: HandlersOf<Table> = {
  listMemberInvitations,
  inviteMember,
  withdrawMemberInvitation,
  lookUpMemberInvitation,
  acceptMemberInvitation,
};

const NO_LIMITS = { total: null, day: null, month: null };

const COUNT_OPEN = `
  select count(*)::integer as count from member_invitations i where i.account_id = $1 and ${IS_OPEN}`;

const REPLACE_FORMER = `
  update member_invitations i set withdrawn_at = now()
  where i.account_id = $1 and i.email = $2 and i.accepted_at is null and i.withdrawn_at is null`;

const INSERT = `
  insert into member_invitations (id, account_id, email, mailed, role, team_id, digest, invited_by,
    budget_total_nano_usd, budget_day_nano_usd, budget_month_nano_usd, expires_at)
  values ($1, $2, $3, $4, $5, $6::bigint, $7, $8, $9, $10, $11, now() + make_interval(days => ${String(INVITATION_DAYS)}))`;

const WITHDRAW = 'update member_invitations set withdrawn_at = now() where id = $1';

const IS_MEMBER = `
  select 1 from members m join users u on u.id = m.user_id
  where m.account_id = $1 and u.email = $2 and m.ended_at is null`;

const NO_INVITATION = refuse('not_found', 'There is no such invitation.');

async function listMemberInvitations({
  context,
  caller,
  query,
}: Call<'listMemberInvitations'>): Promise<MemberInvitationPage | Refusal> {
  const after = readIdCursor(query.cursor);
  if (typeof after === 'object' && after !== null) return after;
  const limit = pageLimit(query);
  const page = { accountId: caller.accountId, after, limit: limit + 1 };
  const rows = await readInvitations(context.pool, page);
  return pageOf(rows, { limit, view: invitationView, sortKey: ({ id }) => [id] });
}

/** Refuses an invitation that the account cannot make. Its row is locked. */
async function refuseInvite(
  db: Database,
  { caller, body }: Call<'inviteMember'>,
  email: string | null,
): Promise<Refusal | undefined> {
  const { accountId } = caller;
  const refused =
    refuseForeignOwner(caller, [body.role]) ??
    refuseGrantByToken(caller, body.role) ??
    (await refuseTeam(db, { accountId, teamId: body.teamId }));
  if (refused !== undefined) return refused;
  if (email !== null && (await db.query(IS_MEMBER, [accountId, email])).rowCount !== 0) {
    return refuse('already_exists', 'This person is a member of the account already.', {
      param: 'email',
    });
  }
  const { rows } = await db.query<{ count: number }>(COUNT_OPEN, [accountId]);
  if (onlyRow(rows).count < OPEN_INVITATIONS_MAX) return undefined;
  return refuse(
    'limit_reached',
    `The account has ${String(OPEN_INVITATIONS_MAX)} open invitations, which is the most. Withdraw one first.`,
  );
}

/**
 * Invites by mail or by a link. A token that was mailed is shown to no member: the one who has it
 * has the address.
 */
async function inviteMember(call: Call<'inviteMember'>): Answer<'inviteMember'> {
  const { context, caller, body } = call;
  const { accountId } = caller;
  const { mailer, consoleUrl } = context;
  const budget = changedBudgets(NO_LIMITS, body.budget ?? {});
  if ('refused' in budget) return budget;
  const email = body.email == null ? null : normaliseEmail(body.email);
  const mailed = email !== null && mailer.configured;
  // Mails go to addresses that a customer names, so they are counted for the account.
  const tooMany = email === null ? undefined : await countAttempt(context, 'invite', accountId);
  if (tooMany !== undefined) return tooMany;
  const token = newToken();
  // Behind the "#", which browsers send to no server.
  const link = `${consoleUrl}/join#token=${token}`;
  const id = newRequestId(Date.now());
  const invited = await inTransaction(context.pool, async (client) => {
    await lockRow(client, 'accounts', accountId);
    if (email !== null) await client.query(REPLACE_FORMER, [accountId, email]);
    const refused = await refuseInvite(client, call, email);
    if (refused !== undefined) return refused;
    await client.query(INSERT, [
      id,
      accountId,
      email,
      mailed,
      body.role,
      body.teamId ?? null,
      digestOf(token),
      caller.userId,
      budget.total,
      budget.day,
      budget.month,
    ]);
    const invitation = await findInvitation(client, { accountId, id });
    if (invitation === undefined) throw new Error('an invitation that was made is gone');
    const view = invitationView(invitation);
    const change = { kind: 'member_invitation', id, before: null, after: view };
    return { view, audit: await audit(client, call, change) };
  });
  if ('refused' in invited) return invited;
  if (email !== null) {
    const { siteName } = await readSettings(context.pool);
    mailer.send(writeMail('member_invitation', { to: email, siteName, language: null, link }));
  }
  return { ...invited, view: { ...invited.view, link: mailed ? null : link } };
}

function withdrawMemberInvitation(
  call: Call<'withdrawMemberInvitation'>,
): Answer<'withdrawMemberInvitation'> {
  const { context, caller, params } = call;
  const scope = { accountId: caller.accountId, id: params.memberInvitationId };
  return inTransaction(context.pool, async (client) => {
    await lockRow(client, 'accounts', caller.accountId);
    const invitation = await findInvitation(client, scope);
    if (invitation === undefined) return NO_INVITATION;
    if (invitation.status !== 'open') {
      return refuse('state_conflict', `This invitation is ${invitation.status} already.`);
    }
    await client.query(WITHDRAW, [invitation.id]);
    const before = invitationView(invitation);
    const after = { ...before, status: 'withdrawn' };
    const change = { kind: 'member_invitation', id: invitation.id, before, after };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}

/** Shows where an open invitation leads. The address is compared when it is accepted. */
async function lookUpMemberInvitation({
  context,
  body,
}: Call<'lookUpMemberInvitation'>): Promise<MemberInvitationPreview | Refusal> {
  const invitation = await findInvitationByToken(context.pool, body.token);
  if (invitation === undefined) return UNKNOWN_INVITATION;
  const refused = refuseInvitation(invitation, invitation.email ?? '');
  if (refused !== undefined) return refused.refusal;
  return {
    accountName: invitation.accountName,
    role: invitation.role,
    teamName: invitation.teamName,
    invitedBy: invitation.invitedBy,
    email: invitation.email,
    expiresAt: invitation.expiresAt.toISOString(),
  };
}
