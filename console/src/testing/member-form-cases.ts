import { OpenAccountForm } from '../app/account/open-account-form';
import type { ApiPort } from '../app/core/api/call-input';
import type { Session } from '../app/core/session/session';
import { BudgetForm } from '../app/members/budgets/budget-form';
import { InviteForm } from '../app/members/invite-form';
import { MemberForm } from '../app/members/member-form';
import { TeamForm } from '../app/members/teams/team-form';
import { JoinForm } from '../app/sessions/register/join-form';

/** The forms about members and their accounts, each with the schema of its body. */
export function memberFormCases(api: ApiPort, session: Session) {
  return [
    {
      schema: 'RegistrationCreate',
      make: () => new JoinForm(api, session, { token: 'token', mustAgree: () => true }).group,
      unasked: {
        language: 'the language the console is shown in',
        captchaToken: 'asked for where there is no invitation',
        invitationCode: 'asked for where there is no invitation',
        memberInvitationToken: 'is in the link',
      },
    },
    { schema: 'OwnAccountCreate', make: () => new OpenAccountForm().group },
    { schema: 'MemberUpdate', make: () => new MemberForm().group },
    {
      schema: 'MemberInvitationCreate',
      make: () => new InviteForm().group,
      unasked: { budget: 'the month of BudgetUpdate' },
    },
    { schema: 'BudgetUpdate', make: () => new BudgetForm().group },
    { schema: 'TeamCreate', make: () => new TeamForm().group },
  ] as const;
}

/** Bodies about members that no form is for. */
export const MEMBERS_WITHOUT_FORM = {
  AccountSwitch: 'a choice in the bar',
  InvitationToken: 'a link',
  TeamUpdate: 'the form of TeamCreate',
} as const;
