import type { MemberInvitationView } from '@weir/shared/people/members';
import type { MemberRole } from '@weir/shared/api/permissions';
import { digestOf } from '../api/callers/opaque-token.ts';
import type { Database } from '../api/transaction.ts';
import { budgetsView } from '../budgets/budget-row.ts';

export interface InvitationRow {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly email: string | null;
  /** The token is known from a mail alone, so its holder has the address. */
  readonly mailed: boolean;
  readonly role: MemberRole;
  readonly teamId: string | null;
  readonly teamName: string | null;
  /** Nano-USD; null is no limit. */
  readonly total: number | null;
  readonly day: number | null;
  readonly month: number | null;
  readonly status: MemberInvitationView['status'];
  readonly invitedBy: string;
  readonly acceptedBy: string | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** True in SQL for an invitation `i` that can be accepted. */
export const IS_OPEN = 'i.accepted_at is null and i.withdrawn_at is null and i.expires_at > now()';

const SELECT = `
  select i.id, i.account_id as "accountId", a.name as "accountName", i.email, i.mailed, i.role,
    i.team_id::text as "teamId", t.name as "teamName",
    i.budget_total_nano_usd as total, i.budget_day_nano_usd as day, i.budget_month_nano_usd as month,
    i.expires_at as "expiresAt", i.created_at as "createdAt",
    (select email from users where id = i.invited_by) as "invitedBy",
    (select email from users where id = i.accepted_by) as "acceptedBy",
    case when i.accepted_at is not null then 'accepted' when i.withdrawn_at is not null or a.deleted_at is not null then 'withdrawn'
      when i.expires_at <= now() then 'expired' else 'open' end as status
  from member_invitations i join accounts a on a.id = i.account_id left join teams t on t.id = i.team_id`;

const LIST = `${SELECT}
  where i.account_id = $1 and ($2::uuid is null or i.id < $2) order by i.id desc limit $3`;
const FIND = `${SELECT} where i.account_id = $1 and i.id = $2`;
const FIND_BY_TOKEN = `${SELECT} where i.digest = $1`;

export async function readInvitations(
  db: Database,
  page: { readonly accountId: string; readonly after: string | null; readonly limit: number },
): Promise<InvitationRow[]> {
  const { accountId, after, limit } = page;
  return (await db.query<InvitationRow>(LIST, [accountId, after, limit])).rows;
}

export async function findInvitation(
  db: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<InvitationRow | undefined> {
  return (await db.query<InvitationRow>(FIND, [accountId, id])).rows[0];
}

export async function findInvitationByToken(
  db: Database,
  token: string,
): Promise<InvitationRow | undefined> {
  return (await db.query<InvitationRow>(FIND_BY_TOKEN, [digestOf(token)])).rows[0];
}

export function invitationView(row: InvitationRow): MemberInvitationView {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    teamId: row.teamId,
    teamName: row.teamName,
    budget: budgetsView(row),
    status: row.status,
    invitedBy: row.invitedBy,
    acceptedBy: row.acceptedBy,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
