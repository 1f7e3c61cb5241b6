import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import type { Database } from '../../api/transaction.ts';
import { findInvitationByToken } from '../../member-invitations/invitation-row.ts';
import {
  refuseInvitation,
  UNKNOWN_INVITATION,
} from '../../member-invitations/refuse-invitation.ts';
import { refuseDomain } from '../../registrations/email-domains.ts';
import { refuseApplicant, takeInvitationCode } from '../../sessions/registration.ts';
import type { Settings } from '../../settings/read-settings.ts';
import type { Flow } from '../flows.ts';

const BEGIN_THERE = refuse(
  'invalid_value',
  'No login belongs to this identity yet. Agree to the terms on the page "Register", and sign on from there.',
  { param: 'termsAccepted' },
);

/**
 * Refuses a person who may not register: by the registration mode, the domain of the address, or
 * the terms that they have not agreed to. Uses an invitation code up.
 */
export async function admitApplicant(
  db: Database,
  applicant: { readonly settings: Settings; readonly email: string; readonly flow: Flow },
): Promise<Refusal | undefined> {
  const { settings, email, flow } = applicant;
  const refused = refuseDomain(settings, email) ?? (await refuseApplicant(db, settings, flow));
  if (refused !== undefined) return refused.param === 'termsAccepted' ? BEGIN_THERE : refused;
  const { memberInvitationToken: token, invitationCode } = flow;
  if (token !== undefined) {
    const invitation = await findInvitationByToken(db, token);
    return invitation === undefined
      ? UNKNOWN_INVITATION
      : refuseInvitation(invitation, email)?.refusal;
  }
  if (settings.registrationMode !== 'invitation') return undefined;
  return takeInvitationCode(db, invitationCode);
}
