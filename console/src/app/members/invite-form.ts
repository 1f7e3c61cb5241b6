import { FormGroup } from '@angular/forms';
import { MemberInvitationCreate } from '@weir/shared/members';
import type { MemberRole } from '@weir/shared/permissions';
import { chosen, mailbox, mailboxOf, option } from '../core/forms/controls';

const rules = MemberInvitationCreate.properties;

/** An invitation: by mail with an address, by a link without. */
export class InviteForm {
  readonly controls = {
    email: mailbox(rules.email),
    role: option<MemberRole>('member'),
    teamId: chosen(rules.teamId),
  };
  readonly group = new FormGroup(this.controls);

  body(): MemberInvitationCreate {
    const { email, role, teamId } = this.controls;
    return {
      email: email.value.trim() === '' ? null : mailboxOf(email),
      role: role.value,
      teamId: teamId.value === '' ? null : teamId.value,
    };
  }
}
