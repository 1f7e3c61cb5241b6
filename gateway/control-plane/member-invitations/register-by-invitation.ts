import type { Refusal } from '../../platform/errors/refusal.ts';
import type { Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { findInvitationByToken, IS_OPEN, type InvitationRow } from './invitation-row.ts';
import {
  noteRefusedInvitation,
  refuseInvitation,
  UNKNOWN_INVITATION,
} from './refuse-invitation.ts';

/**
 * Registrations with one invitation. Known addresses count too, so that what is left says nothing
 * about an address; a person who mistypes theirs has further tries.
 */
const REGISTRATIONS_MAX = 5;

const COUNT = `
  update member_invitations i set registrations_count = registrations_count + 1
  where i.id = $1 and ${IS_OPEN} and i.registrations_count < $2`;

const VISITOR = {
  userId: null,
  email: null,
  role: 'user',
  sessionId: null,
  accessToken: null,
} as const;

/**
 * Admits a registration by an invitation into an account, whatever the registration mode is. The
 * invitation stays open: the new user accepts it after logging in, like anyone who has a login.
 */
export async function admitByInvitation(
  context: AdminContext,
  call: Call<'register'>,
  invited: { readonly token: string; readonly email: string },
): Promise<InvitationRow | Refusal> {
  const invitation = await findInvitationByToken(context.pool, invited.token);
  if (invitation === undefined) return UNKNOWN_INVITATION;
  const refused = refuseInvitation(invitation, invited.email);
  if (refused !== undefined) {
    const { reason, refusal } = refused;
    await noteRefusedInvitation(context.pool, call, { invitation, reason, by: VISITOR });
    return refusal;
  }
  const counted = await context.pool.query(COUNT, [invitation.id, REGISTRATIONS_MAX]);
  return counted.rowCount === 0 ? UNKNOWN_INVITATION : invitation;
}
