import { FormGroup } from '@angular/forms';
import { MemberUpdate, type MemberView } from '@weir/shared/people/members';
import type { MemberRole } from '@weir/shared/api/permissions';
import { chosen, onlyTouched, option } from '../core/forms/controls';

/** Role and team of a member. No team is an empty choice. */
export class MemberForm {
  readonly controls;
  readonly group;

  constructor(member?: MemberView) {
    this.controls = {
      role: option<MemberRole>(member?.role ?? 'member'),
      teamId: chosen(MemberUpdate.properties.teamId, { initial: member?.teamId ?? '' }),
    };
    this.group = new FormGroup(this.controls);
  }

  body(): MemberUpdate {
    const { role, teamId } = this.controls;
    const whole = { role: role.value, teamId: teamId.value === '' ? null : teamId.value };
    return onlyTouched(whole, this.controls);
  }
}
