import { Component, inject } from '@angular/core';
import type { InvitationCodeView } from '@weir/shared/people/registrations';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { DialogWork } from '../../design/resource/resource-dialog';
import { InvitationForm } from './code-forms';

@Component({
  selector: 'weir-invitation-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t('codes.inviteTitle')"
      [save]="t('codes.invite')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="create()"
    >
      <weir-field
        inputmode="numeric"
        [control]="form.controls.usesMax"
        [label]="t('codes.usesMax')"
      />
      <weir-field
        type="datetime-local"
        [optional]="true"
        [control]="form.controls.expiresAt"
        [label]="t('keys.expiresAt')"
      />
      <weir-field
        [optional]="true"
        [control]="form.controls.note"
        [label]="t('codes.note')"
        [hint]="t('codes.noteHint')"
      />
    </weir-form-dialog>
  `,
})
export class InvitationDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<null, InvitationCodeView>();
  protected readonly form = new InvitationForm();

  protected create(): Promise<void> {
    const body = this.form.body();
    return this.dialog.run(() => this.#api.call('createInvitationCode', { body }));
  }
}
