import { Component, computed, inject } from '@angular/core';
import type { MemberView } from '@weir/shared/people/members';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { FORM_DIALOG } from '../design/dialog/form-parts';
import { Note } from '../design/feedback/note';
import { DialogWork } from '../design/resource/resource-dialog';
import { MemberForm } from './member-form';
import { roleOptions, teamOptions } from './teams/team-options';

@Component({
  selector: 'weir-member-dialog',
  imports: [FORM_DIALOG, Note],
  template: `
    <weir-form-dialog
      [heading]="t('members.editTitle', { email: dialog.data.email })"
      [save]="t('action.save')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="save()"
    >
      @if (dialog.data.managedBy; as provider) {
        <weir-note>{{ t('members.managedHint', { provider }) }}</weir-note>
      }
      <weir-choice
        [control]="form.controls.role"
        [label]="t('account.role')"
        [hint]="t('members.ownerHint')"
        [options]="roles()"
      />
      @if (dialog.data.managedBy === null) {
        <weir-choice
          [control]="form.controls.teamId"
          [label]="t('teams.team')"
          [options]="teams()"
        />
      }
    </weir-form-dialog>
  `,
})
export class MemberDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<MemberView, MemberView>();
  protected readonly form = new MemberForm(this.dialog.data);
  readonly #allRoles = roleOptions();
  /** A provider decides every role but that of owners, whom other owners make. */
  protected readonly roles = computed(() => {
    const { role, managedBy } = this.dialog.data;
    const free = managedBy === null || role === 'owner';
    return this.#allRoles().filter(({ value }) => free || value === role || value === 'owner');
  });
  protected readonly teams = teamOptions();

  protected save(): Promise<void> {
    const params = { memberId: this.dialog.data.id };
    const body = this.form.body();
    return this.dialog.run(() => this.#api.call('updateMember', { params, body }));
  }
}
