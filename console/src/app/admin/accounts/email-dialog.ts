import { Component, inject } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { UserView } from '@weir/shared/users';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Field } from '../../design/field/field';
import { EmailForm } from './account-forms';

/** The address that somebody logs in with. */
@Component({
  selector: 'weir-email-dialog',
  imports: [Field, FormDialog],
  template: `
    <weir-form-dialog
      [heading]="t('users.emailTitle')"
      [save]="t('users.changeEmail')"
      [group]="form.group"
      [action]="action"
      (accepted)="change()"
    >
      <p class="soft">{{ t('users.emailText', { email: user.email }) }}</p>
      <weir-field type="email" [control]="form.controls.email" [label]="t('users.newEmail')" />
    </weir-form-dialog>
  `,
})
export class EmailDialog {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<EmailDialog, boolean>>(MatDialogRef);
  protected readonly user = inject<UserView>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly form = new EmailForm();
  protected readonly action = new Action();

  protected async change(): Promise<void> {
    await this.action.run(async () => {
      await this.#api.call('changeEmailOfUser', {
        params: { userId: this.user.id },
        body: this.form.body(),
      });
      this.#dialog.close(true);
    });
  }
}
