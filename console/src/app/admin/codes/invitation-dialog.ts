import { Component, inject } from '@angular/core';
import { MatDialogRef } from '@angular/material/dialog';
import type { InvitationCodeView } from '@weir/shared/registrations';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Field } from '../../design/field/field';
import { InvitationForm } from './code-forms';

@Component({
  selector: 'weir-invitation-dialog',
  imports: [Field, FormDialog],
  template: `
    <weir-form-dialog
      [heading]="t('codes.inviteTitle')"
      [save]="t('codes.invite')"
      [group]="form.group"
      [action]="action"
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
  readonly #dialog = inject<MatDialogRef<InvitationDialog, InvitationCodeView>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly form = new InvitationForm();
  protected readonly action = new Action();

  protected async create(): Promise<void> {
    await this.action.run(async () => {
      const body = this.form.body();
      this.#dialog.close(await this.#api.call('createInvitationCode', { body }));
    });
  }
}
