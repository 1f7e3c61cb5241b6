import { FormGroup } from '@angular/forms';
import { BudgetUpdate } from '@weir/shared/money/budgets';
import { MemberInvitationCreate } from '@weir/shared/people/members';
import type { MemberRole } from '@weir/shared/api/permissions';
import { amount, amountOrNull, chosen, mailbox, mailboxOf, option } from '../core/forms/controls';

const rules = MemberInvitationCreate.properties;

/** An invitation: by mail with an address, by a link without. */
export class InviteForm {
  readonly controls = {
    email: mailbox(rules.email),
    role: option<MemberRole>('member'),
    teamId: chosen(rules.teamId),
    monthUsd: amount(BudgetUpdate.properties.monthUsd),
  };
  readonly group = new FormGroup(this.controls);

  body(): MemberInvitationCreate {
    const { email, role, teamId, monthUsd } = this.controls;
    const monthly = amountOrNull(monthUsd);
    return {
      email: email.value.trim() === '' ? null : mailboxOf(email),
      role: role.value,
      teamId: teamId.value === '' ? null : teamId.value,
      ...(monthly === null ? {} : { budget: { monthUsd: monthly } }),
    };
  }
}
