import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { audit, type Actor, type AuditedCall } from '../audit/audit-log.ts';
import type { Database } from '../api/transaction.ts';
import type { InvitationRow } from './invitation-row.ts';

/** The reason why an invitation cannot be accepted, as in its audit entry. */
type Reason = 'accepted' | 'withdrawn' | 'expired' | 'other_address';

const MESSAGES: Readonly<Record<Reason, string>> = {
  accepted: 'This invitation was accepted before, and works once. Ask for another one.',
  withdrawn: 'This invitation was withdrawn. Ask the person who invited you for another one.',
  expired: 'This invitation has expired. Ask the person who invited you for another one.',
  other_address:
    'This invitation is for another e-mail address. Log in with the address that it was sent to, or ask for an invitation to yours.',
};

/** The refusal of a token that no invitation has. It is a guess and has no audit entry. */
export const UNKNOWN_INVITATION = refuse(
  'invitation_invalid',
  'There is no such invitation. Open the whole link as you received it.',
  { param: 'token' },
);

function reasonOf(invitation: InvitationRow, email: string): Reason | undefined {
  if (invitation.status !== 'open') return invitation.status;
  const isOther = invitation.email !== null && invitation.email !== email;
  return isOther ? 'other_address' : undefined;
}

/** Refuses an invitation that is over, or for another address than the one that is given. */
export function refuseInvitation(
  invitation: InvitationRow,
  email: string,
): { readonly reason: Reason; readonly refusal: Refusal } | undefined {
  const reason = reasonOf(invitation, email);
  if (reason === undefined) return undefined;
  return { reason, refusal: refuse('invitation_invalid', MESSAGES[reason], { param: 'token' }) };
}

/**
 * Notes in the audit log of the account that an invitation was refused, so that its members see a
 * link that others try. The transaction of the refused act is rolled back, so this is another one.
 */
export async function noteRefusedInvitation(
  db: Database,
  call: Omit<AuditedCall, 'caller'>,
  refused: {
    readonly invitation: InvitationRow;
    readonly reason: Reason;
    readonly by: Pick<Actor, 'userId' | 'email' | 'role' | 'sessionId' | 'accessToken'>;
  },
): Promise<void> {
  const { invitation, reason, by } = refused;
  const { address, requestId, route } = call;
  const caller: Actor = { ...by, accountId: invitation.accountId };
  await audit(
    db,
    { address, requestId, route, caller },
    { kind: 'member_invitation', id: invitation.id, before: null, after: { refused: reason } },
  );
}
